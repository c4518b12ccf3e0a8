r"""All 25 characters of White_Space, characters that look or count like one, and their mixtures.

Every library means something else by ``\s``: JavaScript includes U+FEFF and not U+0085, Python
includes U+001C to U+001F, older tables include U+180E, a hand-written splitter has ASCII only.
Rules for runs then apply to one character and not to its neighbour: one space of a run goes to the
next word, a line end includes the white space before it, trailing space is one piece. So the
characters occur alone, doubled and in runs, before words, numbers, ``'s`` and punctuation, at the
start, at the end, and next to each other and to every kind of line end. A target that collapses,
strips or replaces any of them loses text: indentation, a table, a no-break space inside a price.

The twin is the same text with U+0020 for each.

Source: PropList.txt (White_Space); ECMA-262 (WhiteSpace, LineTerminator); Python's str.isspace.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label, members
from tokharness_cases._contexts import ALL
from tokharness_cases._family import NO_FACTS, curated_cases, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

LOOK_ALIKES = "\u180e\u200b\u2060\ufeff\u2800"
"""Not White_Space, but invisible or blank, and white space to some library."""
PYTHON_ONLY = "\x1c\x1d\x1e\x1f"
LINE_ENDS = ("\n", "\r", "\r\n")
NEIGHBOURS = (*LINE_ENDS, " ", "\t", "\u00a0")
WORDS = ("the", "42", "'s", "(", ".", "/", "\u4f60", "_init", "\\u", "S", "\u0301", "\U0001f600")
AROUND_WORDS = ("{0}{1}", "{1}{0}", "{1}{0}{1}", " {0}{1}", "{0} {1}", "{0}{0}{1}", "{1} {0}")
WITH_NEIGHBOURS = (
    "{0}{1}",
    "{1}{0}",
    "a{0}{1}",
    "a{0}{1}b",
    "a{1}{0}b",
    "a{0}{1}{0}b",
    "{1}{0}{1}",
)
PAIRS = ("a{0}{1}", "a{0}{1}b", "{0}{1}'s")
RUNS = (2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every white-space case, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("white_space")
    for char in _spaces():
        why = label(char)
        for context in ALL:
            yield _case(context.around(char), f"{why}, {context.name}")
        for template, word in product(AROUND_WORDS, WORDS):
            yield _case(template.format(char, word), f"{why} next to a word")
        for template, other in product(WITH_NEIGHBOURS, NEIGHBOURS):
            yield _case(template.format(char, other), f"{why} next to other white space")
        for number in RUNS:
            run = char * number
            for text in (run, f"{run}a", f"a{run}", f"a{run}b", f"{run}\n"):
                yield _case(text, f"{number} times {why}")
    for template, first, second in product(PAIRS, _spaces(), _spaces()):
        why = f"U+{ord(first):04X} before U+{ord(second):04X}"
        yield _case(template.format(first, second), why)


def _case(text: str, why: str) -> Case:
    return Case(text, why, text.translate(_plain()))


@cache
def _spaces() -> tuple[str, ...]:
    return (*map(chr, members(r"\p{White_Space}")), *LOOK_ALIKES, *PYTHON_ONLY)


@cache
def _plain() -> dict[int, str]:
    return dict.fromkeys(map(ord, _spaces()), " ")


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Words among random runs of white space of every kind."""
    return mixture((" ", "\r\n", *_spaces()), ("a", "1", "the", "'s", ".", "/", "_"), most=8)
