"""Names that every object of a language has, and words that a format reads as values.

A vocabulary in a plain JavaScript object answers ``vocab["constructor"]`` with a function and
``vocab["__proto__"]`` with an object, though no token has that name; then the id is not a number,
or is ``NaN``, or a merge applies that does not exist. In Python and Ruby the same happens through
``getattr`` and ``send``. A vocabulary read from YAML has ``no`` as false and ``null`` as nothing,
from CSV ``NA`` as a gap, ``1e5`` as a number, ``MARCH1`` as a date. The words that break a lookup
are rarely in tests and common in source code. The context of a word decides which key is looked up:
with its space, in another case, split from its digits.

Source: ECMA-262 (Object.prototype, Function.prototype and others); the data models of Python and
Ruby; YAML 1.1 and 1.2; RFC 8259 (JSON).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness_cases._family import NO_FACTS, curated_cases, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

TEMPLATES = (
    *(" {}", "\n{}", "\t{}", "  {}", "{} ", "{}\n", "{0} {0}", "{0}{0}", "{}1", "{}'s", "'{}'"),
    *("{}()", "x.{}", "x.{}()", '{{"{}": 1}}', '["{}"]', "({})", "/{}", "_{}", "{}_"),
    *(
        "{}: ",
        "={}",
        "${{{}}}",
        "{}.{}",
        "{} = {};",
        "the {} of",
        "\u0120{}",
        "\u2581{}",
        "##{}",
        "{}</w>",
    ),
    *("a{}", "{}a"),
)
"""As a word, a key, a method, a part of a longer word, and as vocabularies spell a word."""


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every word, then every word in context, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("property_names")
    for word in _words():
        for text in (word.lower(), word.upper(), word.capitalize(), word.swapcase()):
            yield Case(text, "a reserved name in another case")
        for template in TEMPLATES:
            text = template.format(word, word)
            yield Case(text, "a reserved name in context")


@cache
def _words() -> tuple[str, ...]:
    return tuple(case.text for case in curated_cases("property_names"))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """These words among plain pieces, dots, brackets and numbers."""
    plain = ("a", " ", "1", ".", "()", '["', '"]', "_", "\n", "'s", "the", ": ", "Get")
    return mixture(sorted(_words(), key=len), plain, most=6)
