"""Long texts: runs of one unit, and characters across the boundaries of buffers.

A pattern that backtracks overflows its stack or takes quadratic time on a run of one character; a
merge loop that scans all pairs again after each merge is quadratic in the length of a pre-token; a
buffer of 4,096 bytes splits a character; a limit truncates silently. A limit for words, such as the
100 characters of WordPiece or a quantifier of a pattern, shows at one length only: there are words
of letters of each length up to 260, and of digits, spaces, punctuation and Han characters of each
length up to 104. At each boundary (128, 256, ... 65,536 characters, and bytes of UTF-8) there are
texts that end one unit before it, at it and one unit after it, and texts in which a character of
two, three or four bytes crosses it at each of its bytes. A letter with its marks, a joined emoji, a
syllable in jamo, CRLF, a contraction and the shortest special token of the target cross the
boundaries up to 4,096 at each byte and character, and higher boundaries in the middle only.
Encoders that cut long texts first, such as after 25,000 characters without white space, show it on
33,011 characters of words without white space and, not in the quick profile, on 420,029 characters
of words and 30,011 spaces: the usual limits are inside words there.

The texts are generated on demand. *very-long-inputs* has a million characters.

Source: UTF-8 (the Unicode Standard, chapter 3, D92); reports of published tokenizers.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label
from tokharness_cases._family import NO_FACTS, plural
from tokharness_cases._recipes import LONG_UNITS, WORDS, Ladder, Recipe, RecipeTexts, run_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy", "texts"]

LENGTHS = (1_000, 10_000)
ODD = (3, 5, 7, 9, 11, 13)
"""Lengths of short runs, which show the end at which merges of equal rank start."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
BOUNDARIES = tuple(2**power for power in (7, 8, 9, 10, 12, 13, 14, 16))
CLOSE = 4_096
"""Largest boundary that a sequence crosses in every way; others are crossed once, to save time."""
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
"""Sequences that are one unit to a reader or a splitter, and that cross a boundary."""


FAR = (
    Recipe(
        "33011 characters of words without white space",
        "international:beautiful,different,remembering;communities-yesterday;",
        33_011,
    ),
    Recipe(
        "420029 characters of words",
        "important communities photographs government international remembering. ",
        420_029,
    ),
    run_of(" ", 30_011),
)
"""Texts that have letters of a word, or spaces, at both sides of each usual limit, such as 25,000
characters without white space or 400,000 of any: there a cut gives other tokens."""

LADDERS = (
    *(("a", " ", 260), ("thequickbrownfoxjumps", " ", 260)),
    *(("7", "a", 104), (".", " ", 104), (" ", "a", 104), ("\u4e2d", "1", 104)),
    ("\u0430", " ", 104),  # a limit may count bytes
)
"""Units of words of each length, the separator of the words, and the length of the longest word.

A unit of letters has no factor of a usual limit, so that a cut is inside one of its words.
"""
RUNGS = 52
"""Words in a text."""


def _recipes(facts: TargetFacts) -> tuple[Recipe, ...]:
    far = FAR[:1] if facts.profile == "quick" else FAR
    return (*far, *_with_special(min(facts.special_tokens, key=len, default="")))


@cache
def _with_special(token: str) -> tuple[Recipe, ...]:
    odd = [run_of(unit, n) for unit in dict.fromkeys((*LETTERS, *LONG_UNITS)) for n in ODD]
    is_new = token and token not in SEQUENCES.values()
    own = _across({"a special token of the target": token}) if is_new else ()
    return (*_ladders(), *_around_boundaries(), *_runs(), *odd, *own)


def _ladders() -> Iterator[Recipe]:
    """Words of each length: the limit of a file, a pattern or a library is one of these lengths."""
    for unit, between, longest in LADDERS:
        for first in range(1, longest, RUNGS):
            last = first + RUNGS - 1
            why = f"words of {first} to {last} characters"
            yield Ladder(why, unit, last, f"{between}end", first, between)


def _around_boundaries() -> Iterator[Recipe]:
    for boundary in BOUNDARIES:
        where = f"before the boundary of {boundary}"
        for length in (boundary - 1, boundary, boundary + 1):
            yield Recipe(f"{length} characters", WORDS, length)
        for character in ACROSS:
            for before in range(1, len(character.encode())):
                why = f"{label(character)} with {plural(before, 'byte')} {where}"
                yield Recipe(why, WORDS, boundary - before, f"{character}'s end")
            why = f"{boundary} characters, of which the last is {label(character)}"
            yield Recipe(why, WORDS, boundary - 1, character)
            if boundary <= CLOSE:
                yield Recipe(f"{boundary} times {label(character)}", character, boundary, " end")
        yield from _across(SEQUENCES, [boundary])


def _across(
    sequences: Mapping[str, str], boundaries: Sequence[int] = BOUNDARIES
) -> Iterator[Recipe]:
    for boundary, (what, sequence) in product(boundaries, sequences.items()):
        # The text before it is ASCII, so character and byte positions are equal.
        places = {*_boundaries_within(sequence), len(sequence) // 2, len(sequence) - 1}
        for before in sorted(places if boundary <= CLOSE else {len(sequence) // 2}):
            where = f"before the boundary of {boundary}"
            why = f"{what} with {before} of its bytes or characters {where}"
            yield Recipe(why, WORDS, boundary - before, f"{sequence} end")


def _boundaries_within(sequence: str) -> Iterator[int]:
    """Return the byte offset of each boundary between two characters of a sequence."""
    return (len(sequence[:place].encode()) for place in range(1, len(sequence)))


def _runs() -> Iterator[Recipe]:
    for unit in LONG_UNITS:
        for length in LENGTHS:
            yield run_of(unit, length)
        yield run_of(unit, LENGTHS[0], "word")


def texts(facts: TargetFacts = NO_FACTS) -> Sequence[str]:
    """Return the texts of the cases, in their order."""
    return RecipeTexts(_recipes(facts))


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every long text, in a fixed order."""
    return (Case(recipe.text, recipe.why) for recipe in _recipes(facts))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Runs of random units, one after another."""
    from hypothesis import strategies as st

    run = st.tuples(st.sampled_from(LONG_UNITS), st.sampled_from((1, 2, 3, 10, 100, 1000)))
    return st.lists(run.map(lambda pair: pair[0] * pair[1]), min_size=1, max_size=3).map("".join)
