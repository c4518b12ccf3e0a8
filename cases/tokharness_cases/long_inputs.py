r"""Long texts: runs of one unit, and a character across each border of a buffer.

A pattern that backtracks overflows its stack or takes quadratic time on a run of one character; a
merge loop that looks through all pairs again after each merge is quadratic in the length of a
pre-token; a buffer of 4,096 bytes cuts a character in two; a limit truncates, silently. Around
each border (128, 256, ... 65,536 characters, and bytes of UTF-8) a text ends one before it, on it
and one after it; a character of two, three or four bytes lies across it in every way, and so do, up
to 4,096, a letter with its marks, a joined emoji, a syllable in jamo, CRLF and a contraction, by
bytes and by characters; beyond they are cut in the middle.

The texts are made as they are asked for. A million characters are in *very-long-inputs*.

Source: UTF-8 (the Unicode Standard, chapter 3, D92); reports of published tokenizers.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label
from tokharness_cases._family import NO_FACTS
from tokharness_cases._recipes import LONG_UNITS, WORDS, Recipe, Texts, of_unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy", "texts"]

LENGTHS = (1_000, 10_000)
ODD = (3, 5, 7, 9, 11, 13)
"""Lengths of short runs that show at which end merges of equal rank begin."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
BORDERS = tuple(2**power for power in (7, 8, 9, 10, 12, 13, 14, 16))
CLOSE = 4_096
"""Up to here a sequence lies across the border in every way; beyond in one, to save time."""
ACROSS = ("\u00e9", "\u4e2d", "\U0001f600")
SEQUENCES = {
    "a letter with two marks": "a\u0301\u0328",
    "a joined emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "a syllable in jamo": "\u1112\u1161\u11ab",
    "a flag": "\U0001f1e9\U0001f1ea",
    "CRLF": "\r\n",
    "a contraction": "don't",
    "a special token": "<|endoftext|>",
}
"""What is one thing to a reader or a splitter, and lies across a border."""


@cache
def _recipes() -> tuple[Recipe, ...]:
    odd = [of_unit(unit, n) for unit in dict.fromkeys((*LETTERS, *LONG_UNITS)) for n in ODD]
    return (*_borders(), *_runs(), *odd)


def _borders() -> Iterator[Recipe]:
    for border in BORDERS:
        for length in (border - 1, border, border + 1):
            yield Recipe(f"{length} characters", WORDS, length)
        for character in ACROSS:
            for before in range(1, len(character.encode())):
                why = f"{label(character)} with {before} bytes before the border of {border}"
                yield Recipe(why, WORDS, border - before, f"{character}'s end")
            why = f"{border} characters, of which the last is {label(character)}"
            yield Recipe(why, WORDS, border - 1, character)
            if border <= CLOSE:
                yield Recipe(f"{border} times {label(character)}", character, border, " end")
        for what, sequence in SEQUENCES.items():
            # ASCII stands before it, so that places in characters and in bytes are the same.
            places = {*_borders_of(sequence), len(sequence) // 2, len(sequence) - 1}
            for before in sorted(places if border <= CLOSE else {len(sequence) // 2}):
                why = f"{what} with {before} bytes or characters before the border of {border}"
                yield Recipe(why, WORDS, border - before, f"{sequence} end")


def _borders_of(sequence: str) -> Iterator[int]:
    """Bytes before each border between two characters of a sequence."""
    return (len(sequence[:place].encode()) for place in range(1, len(sequence)))


def _runs() -> Iterator[Recipe]:
    for unit in LONG_UNITS:
        for length in LENGTHS:
            yield of_unit(unit, length)
        yield of_unit(unit, LENGTHS[0], "word")


def texts(facts: TargetFacts = NO_FACTS) -> Sequence[str]:
    """Texts of the cases, in their order."""
    return Texts(_recipes())


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every long text, in a fixed order."""
    return (Case(recipe.text, recipe.why) for recipe in _recipes())


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Runs of random units, one after another."""
    from hypothesis import strategies as st

    run = st.tuples(st.sampled_from(LONG_UNITS), st.sampled_from((1, 2, 3, 10, 100, 1000)))
    return st.lists(run.map(lambda pair: pair[0] * pair[1]), min_size=1, max_size=3).map("".join)
