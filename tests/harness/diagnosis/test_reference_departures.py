"""Differences of ids that the reference makes, and not the target."""

import re

import pytest
from planted._tokenizer_files import altered, healthy

from tokharness.model import target_of

CODE = "TOK201"
TEXTS = ("The", "A cat", "Of the", "the", "a cat")


class Plain:
    """A tokenizer with the entry points of a library: it cannot alter its stages."""

    def __init__(self, tokenizer):
        self.encode, self.decode = tokenizer.encode_ordinary, tokenizer.decode
        self.normalizer, self.normalize = tokenizer.normalizer, tokenizer.normalize


def cased():
    """Return a tokenizer that declares to lowercase, as its file says, and does not."""
    tokenizer = Plain(altered("lowercase", "normalizer", to=None))
    tokenizer.normalizer = healthy("lowercase").normalizer
    return tokenizer


def causes(findings):
    return [str(finding.cause) for finding in findings.bugs]


@pytest.mark.slow
def test_the_altered_target_names_what_its_reference_does(check_texts):
    (bug,) = check_texts(CODE, healthy("lowercase"), TEXTS, reference=cased()).bugs
    assert str(bug.cause).startswith("normalizer: ")
    assert str(bug.cause).endswith(", in the reference")
    assert bug.message.startswith("the reference differs: it gives the ids of the target if the ")


@pytest.mark.slow
def test_the_altered_explainer_names_what_the_reference_does(check_texts):
    explainer = target_of("explainer", healthy("lowercase"))
    target = Plain(healthy("lowercase"))
    found = check_texts(CODE, target, TEXTS, reference=cased(), explainer=explainer)
    own = check_texts(CODE, healthy("lowercase"), TEXTS, reference=cased())
    assert causes(found) == causes(own)


@pytest.mark.slow
def test_an_explainer_that_disagrees_with_the_target_names_nothing(check_texts):
    explainer = target_of("explainer", healthy("lowercase"))
    record = {"type": "Replace", "pattern": {"String": "e"}, "content": "a"}
    target = Plain(altered("lowercase", "normalizer", to=record))
    found = check_texts(CODE, target, TEXTS, reference=cased(), explainer=explainer)
    assert not [cause for cause in causes(found) if cause.endswith("in the reference")]


def test_a_space_that_the_decoder_of_the_reference_adds_is_not_that_of_the_target(
    check_texts, byte_tokenizer
):
    reference = byte_tokenizer(lambda text: text.replace("\u0903", ""), lambda text: f" {text}")
    found = check_texts(CODE, byte_tokenizer(), ("a\u0903", "\u0903"), reference=reference)
    assert causes(found) == ["dropped characters: U+0903 DEVANAGARI SIGN VISARGA, in the reference"]


def _spaced(text):
    return re.sub("([!.,;])", r" \1 ", text)


def test_what_both_sides_lose_is_not_named(check_texts, byte_tokenizer):
    target = byte_tokenizer(lambda text: text.translate({0xDF: "ss", 0xE6: "ae"}), _spaced)
    texts = ("\u00df", "a\u00df!", "!a", "\u00e6;", "a, b.")
    found = check_texts(CODE, target, texts, reference=byte_tokenizer(str, _spaced))
    assert all(cause.startswith("replaced characters: U+00") for cause in causes(found))
    assert [cause[23:27] for cause in sorted(causes(found))] == ["00DF", "00E6"]


class Words:
    """Code points of words; a mark in a word is another id than one alone, as for WordPiece."""

    def __init__(self, *, splits):
        self.splits = splits

    def encode(self, text):
        words = (_spaced(text) if self.splits else text).split(" ")
        return [0x2FFFF if char == "!" != word else ord(char) for word in words for char in word]

    def decode(self, ids):
        return "".join({0x21: " ! ", 0x2FFFF: "!"}.get(i) or chr(i) for i in ids)


def test_spaces_between_the_tokens_of_the_reference_are_only_a_symptom(check_texts):
    reference = Words(splits=True)
    found = check_texts(CODE, Words(splits=False), ("a!", "!a", "a!b"), reference=reference)
    assert [bug.cause.weak for bug in found] == [True]
