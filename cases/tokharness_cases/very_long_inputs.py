"""A million characters: of one unit, of words, of hostile text.

A quadratic step that takes a second for 10,000 characters takes hours for a million. A regular
expression that backtracks overflows its stack: published encoders end in a panic or a segmentation
fault on a million spaces. A recursive merge exceeds the recursion limit, and a table of pairs
exceeds the memory. A tokenizer with an undocumented limit silently truncates the text.

The quick profile has no such text. The standard profile has a million characters each of a dozen
units that patterns treat differently, of words and of hostile text; the thorough profile has a
million characters of every unit of *long-inputs*. The texts are generated on demand, and are not
compared with a reference in plain Python. Boundaries from 128 to 65,536 characters and bytes are in
*long-inputs*.

Source: reports of published tokenizers (stack overflow on runs of one character, quadratic merges).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness_cases._family import NO_FACTS
from tokharness_cases._recipes import LONG_UNITS, WORDS, Recipe, RecipeTexts, run_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

__all__ = ["COMPARED", "cases", "strategy", "texts"]

COMPARED = False
LENGTH = 1_000_000
UNITS = (*(" ", " a", "a", "0", "\n", "-", "\u4e2d", "\U0001f600", "\u00a0", "\x00"),)
HOSTILE = (
    "p\u0430ss\u200bword 12\u00bd \ud55c\u1112\u1161\u11ab a\u0301\u0328 \u202eabc\u202c it'\u017f "
    "\U0001f468\u200d\U0001f469 <|endoftext|> \ufb01\ufdfa \x00\x1b[0m \u0915\u094d\u200d\u0937 "
    "\r\n\t\U000e0041\ufeff\u3164 \U0010ffff\ufffd"
)
"""Joiners, bidirectional controls, marks, jamo, tags, special tokens, controls."""


def _recipes(facts: TargetFacts) -> tuple[Recipe, ...]:
    if facts.profile == "quick":
        return ()
    units = dict.fromkeys((*UNITS, *(LONG_UNITS if facts.profile == "thorough" else ())))
    return (
        *(run_of(unit, LENGTH) for unit in units),
        Recipe(f"{LENGTH} characters of words", WORDS, LENGTH),
        Recipe(f"{LENGTH} characters of hostile text", HOSTILE, LENGTH),
    )


def texts(facts: TargetFacts = NO_FACTS) -> Sequence[str]:
    """Return the texts of the cases, in their order."""
    return RecipeTexts(_recipes(facts))


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """A text of a million characters for each unit, in a fixed order; none in a quick run."""
    return (Case(recipe.text, recipe.why) for recipe in _recipes(facts))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Short runs of random units: random texts must not take hours."""
    from hypothesis import strategies as st

    run = st.tuples(st.sampled_from((*UNITS, *HOSTILE)), st.integers(1, 200))
    return st.lists(run.map(lambda pair: pair[0] * pair[1]), min_size=1, max_size=4).map("".join)
