"""TOK110: text that resembles a special token is plain text for ``encode_special``."""

import re

import pytest

CODE = "TOK110"
TOKEN = "<|end|>"


@pytest.mark.parametrize(
    "pattern",
    [r"(?i)<\|end\|>", r"<\|\u200b?end\|>", r"<\s?\|end\|>", r"<\|end\|>?"],
    ids=["case", "invisible character", "space", "last character"],
)
def test_an_encode_special_that_takes_near_misses_is_a_bug(check_texts, library, pattern):
    def make(tokenizer):
        special = tokenizer.encode_special
        return lambda text: special(re.sub(pattern, TOKEN, text))

    (bug,) = check_texts(CODE, library(encode_special=make)).bugs
    assert str(bug.cause) == "entry points: encode_special"
    assert "resembles a special token" in bug.cause.message


def test_a_declared_lowercase_form_may_make_a_special_token(check_texts, library):
    def lowercased(encode):
        return lambda text: encode(text.lower())

    tokenizer = library()
    for name in ("encode", "encode_ordinary", "encode_special"):
        setattr(tokenizer, name, lowercased(getattr(tokenizer, name)))
    for name in ("encode_batch", "encode_bytes", "encode_with_offsets", "count", "decode_bytes"):
        delattr(tokenizer, name)
    tokenizer.normalizer = "lowercase"
    assert check_texts(CODE, tokenizer, ["a<|END|>", "A"]).bugs == []
