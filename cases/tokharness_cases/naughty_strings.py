"""Naughty strings: values, commands, markup and paths that some program takes for more than text.

A tokenizer must treat each as plain text. Faults come from the program around it: a word that a
table or a configuration reads as a value (``null``, ``NaN``, ``1e309``), a format string that the
logging of the library expands, a file name with ``..``, a shell that a wrapper starts, a reader
that takes a line of the text for its own protocol, markup that a cleaner removes, an escape
sequence that reaches the terminal. The list is in the manner of the Big List of Naughty Strings
and written for this project.

Source: own strings; the languages, shells, formats and protocols that they imitate.
"""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness_cases._family import NO_FACTS, curated_cases, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

PLACES = (
    "a{}",
    "{}a",
    '{"x": "{}"}',
    "x={}\n",
    "'{}'",
    "hello {} world",
    "{}{}",
    "\u4f60{}\u597d",
)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Each string alone, then in text and in a file, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("naughty_strings")
    for case, place in zip(curated_cases("naughty_strings"), cycle(PLACES), strict=False):
        yield Case(place.replace("{}", case.text), f"{case.why}, in a text")


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random strings of the list between words and quotation marks."""
    strings = tuple(case.text for case in curated_cases("naughty_strings"))
    return mixture(("null", "'", *strings), ("a", " ", '"', "\n", "1"), most=4)
