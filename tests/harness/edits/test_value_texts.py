"""Texts that are longer than an edited number of a stage."""

from tokharness.edits.value_texts import texts_of_lengths
from tokharness.model import Description, TokenEntry


def texts(*tokens):
    rows = tuple(TokenEntry(place, one, 0.0) for place, one in enumerate(tokens))
    files = [
        Description("SentencePiece", {"model": {"type": "word", "longest": number}}, rows, None)
        for number in (3, 5)
    ]
    return list(texts_of_lengths(*files))


def test_texts_of_each_kind_reach_the_numbers():
    found = texts("a", "bc", "1", "!")
    assert {text.isalpha() for text in found if len(text) >= 5} == {True, False}
    assert any(text.isdecimal() for text in found)
    assert any(set(text) == {"!"} for text in found)


def test_tokens_of_spaces_alone_make_no_text():
    assert texts("\u2581", " ") == []
