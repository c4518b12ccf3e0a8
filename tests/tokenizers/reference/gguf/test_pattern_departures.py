"""Alterations of patterns that give the words of llama.cpp."""

from __future__ import annotations

import pytest
from planted._gguf_files import converted, healthy

from tokharness_tokenizers.reference.gguf.patterns import (
    DEPARTURES,
    LONG_S,
    NAMES,
    ONE_CASE,
    SPACES_IN_NO_RANGE,
    departing,
    pre_tokenization,
)
from tokharness_tokenizers.reference.searching import pieces_of_pattern


def words(name: str, text: str, departure: str | None = None) -> list[str]:
    pieces = [text]
    for pattern in pre_tokenization(name).patterns:
        cut = pieces_of_pattern(departing(pattern, departure), "15.1")
        pieces = [part for piece in pieces for part in cut(piece)]
    return [piece for piece in pieces if piece]


@pytest.mark.parametrize(
    ("name", "departure", "text", "own", "departing_words"),
    [
        ("deepseek-llm", SPACES_IN_NO_RANGE, "\u2029 ", ["\u2029", " "], ["\u2029 "]),
        ("deepseek-llm", SPACES_IN_NO_RANGE, "\t\t\u3000", ["\t", "\t", "\u3000"], ["\t\t\u3000"]),
        ("deepseek-coder", SPACES_IN_NO_RANGE, "\u2003\u0800", ["\u2003\u0800"],
         ["\u2003", "\u0800"]),
        ("qwen2", LONG_S, "'\u017fa", ["'\u017f", "a"], ["'\u017fa"]),
        ("bailingmoe", LONG_S, "'\u017fa", ["'\u017f", "a"], ["'\u017fa"]),
        ("qwen2", LONG_S, "'Sa", ["'S", "a"], ["'S", "a"]),
        ("tekken", ONE_CASE, "a\u00c9b", ["a", "\u00c9b"], ["a\u00c9b"]),
        ("tekken", ONE_CASE, "e\u0301b", ["e\u0301b"], ["e", "\u0301b"]),
        ("tekken", ONE_CASE, "aBc", ["a", "Bc"], ["a", "Bc"]),
    ],
)  # fmt: skip
def test_a_departure_changes_the_words(name, departure, text, own, departing_words):
    assert words(name, text) == own
    assert words(name, text, departure) == departing_words


@pytest.mark.parametrize("departure", DEPARTURES)
@pytest.mark.parametrize("name", NAMES)
def test_a_departure_leaves_plain_words_as_they_are(name, departure):
    text = "It's 12 caf\u00e9s,\n\t(a-b)  \u4f60\u597d."
    assert words(name, text, departure) == words(name, text)


def test_only_departures_that_change_a_pattern_are_alterations():
    def departures(tokenizer) -> set[str]:
        return {what for _, what, _ in tokenizer.encode_altered(("a", None, ()))} & {*DEPARTURES}

    assert departures(healthy("byte_level")) == {LONG_S}
    assert departures(converted("byte_level", pre="deepseek-llm")) == {SPACES_IN_NO_RANGE}
    assert departures(converted("byte_level", pre="gpt-4o")) == {LONG_S, ONE_CASE}
    assert departures(converted("byte_level", pre="gpt-2")) == set()


def test_a_departure_stands_before_the_patterns_of_other_names():
    rows = converted("byte_level", pre="deepseek-llm").encode_altered(("a", None, ()))
    names = [what for stage, what, _ in rows if stage == "pre-tokenizer"]
    assert names[0] == SPACES_IN_NO_RANGE
    assert names[1].startswith("pre is ")
