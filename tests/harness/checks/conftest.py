"""A tokenizer with every entry point."""

import re

import pytest


@pytest.fixture
def library(byte_tokenizer):
    """Make a byte tokenizer with every entry point; some are replaced.

    Each of these is made from the tokenizer, whose entry point for plain text is also ``plain``.
    """

    def make(**replaced):
        one = byte_tokenizer(special_tokens={"<|end|>": 300})
        plain, decode = one.encode, one.decode

        def special(text):
            known = one.special_tokens
            parts = re.split("(" + "|".join(map(re.escape, known)) + ")", text)
            return [i for part in parts for i in ([known[part]] if part in known else plain(part))]

        def encode(text):
            if any(token in text for token in one.special_tokens):
                raise ValueError(text)
            return plain(text)

        one.plain = plain
        one.encode_ordinary, one.encode = plain, encode
        one.encode_special = special
        one.encode_batch = lambda texts: [plain(text) for text in texts]
        one.encode_bytes = list
        one.encode_with_offsets = lambda text: (plain(text), [])
        one.count = lambda text: len(plain(text))
        one.decode_bytes = bytes
        one.decode = lambda ids: decode([i for i in ids if i < 256])
        vars(one).update({name: make(one) for name, make in replaced.items()})
        return one

    return make
