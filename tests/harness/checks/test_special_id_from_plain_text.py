"""TOK103: plain text becomes a special id."""

import pytest

from tokharness.unicode.normalization import normalize

CODE = "TOK103"
SPECIAL = {"<|end|>": 300}
FAMILY = ("special-tokens",)


def obeying(seen):
    """A tokenizer that gives the special id where it sees the special text."""

    def encode(text):
        ids = []
        for number, part in enumerate(seen(text).split("<|end|>")):
            ids += [300] * (number > 0) + list(part.encode("utf-8", "replace"))
        return ids

    return encode


@pytest.fixture
def tokenizer(byte_tokenizer):
    def make(seen=None):
        one = byte_tokenizer(special_tokens=SPECIAL)
        if seen is not None:
            one.encode = obeying(seen)
        return one

    return make


def test_a_target_that_reads_special_text_as_text_is_not_accused(check_texts, tokenizer):
    assert check_texts(CODE, tokenizer(), families=FAMILY) == []


def test_a_target_without_special_tokens_is_not_accused(check_texts, byte_tokenizer):
    assert check_texts(CODE, byte_tokenizer(), families=FAMILY) == []


@pytest.mark.parametrize(
    ("seen", "how"),
    [
        (lambda text: text, {"exact text"}),
        (lambda text: normalize("NFKC", text), {"exact text", "NFKC"}),
        (lambda text: text.replace("END", "end"), {"exact text", "case"}),
        (
            lambda text: text.replace("\u200b", ""),
            {"exact text", "invisible characters or marks removed"},
        ),
        (lambda text: "".join(text.split()), {"exact text", "white space removed"}),
        (lambda text: text.replace("\u0435", "e"), {"exact text", "confusables"}),
    ],
)
def test_the_way_to_the_special_id_is_named(check_texts, tokenizer, seen, how):
    found = check_texts(CODE, tokenizer(seen), families=FAMILY)
    assert {one.cause.kind for one in found} == {"special token"}
    assert how <= {dict(one.cause.parameters)["from"] for one in found.bugs}


def test_exact_text_alone_is_one_bug_with_the_token_as_smallest_text(check_texts, tokenizer):
    (bug,) = check_texts(CODE, tokenizer(str), families=FAMILY).bugs
    assert bug.text == "<|end|>"
    assert str(bug.cause) == "special token: exact text"
    assert "<|end|>" in bug.message


def test_what_the_plain_text_entry_point_protects_is_not_accused(check_texts, tokenizer):
    one = tokenizer()
    one.encode_ordinary = one.encode
    one.encode = obeying(str)
    assert check_texts(CODE, one, families=FAMILY) == []


def test_an_id_that_every_text_gets_is_not_taken_for_a_fault(check_texts, tokenizer):
    one = tokenizer()
    plain = one.encode
    one.encode = lambda text: [300, *plain(text)]
    assert check_texts(CODE, one, families=FAMILY) == []


def test_one_more_than_every_text_gets_is_a_fault(check_texts, tokenizer):
    one = tokenizer()
    obey = obeying(str)
    one.encode = lambda text: [300, *obey(text)]
    assert len(check_texts(CODE, one, families=FAMILY).bugs) == 1


def test_special_tokens_that_only_the_reference_declares_count(check_texts, byte_tokenizer):
    target = byte_tokenizer()
    target.encode = obeying(str)
    reference = byte_tokenizer(special_tokens=SPECIAL)
    assert len(check_texts(CODE, target, families=FAMILY, reference=reference).bugs) == 1
