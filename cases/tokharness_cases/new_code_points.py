"""Code points whose class changed since Unicode 13.0: libraries of different versions disagree.

Every library carries its own copy of the Unicode tables. A tokenizer that splits with tables of
14.0 and a tokenizer that splits with 16.0 agree on all text that their authors tried, and differ on
every letter, mark and number assigned in between, which are unassigned for the older tables. Two
services with the same vocabulary file then count, cache and price one text differently.

Cases: first, middle and last of each contiguous range of changes, in the contexts that reveal a
split (next to a low line, an apostrophe, a full stop, a backslash, digits), and each followed by
the next. Three code points (U+0295, U+1734, U+1171E) are old and got another category. Code points
that are still unassigned are in *noncharacters*.

Source: UAX #44 (DerivedAge, General_Category).
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label
from tokharness.unicode.versions import VERSIONS, age, category_in, changed
from tokharness_cases._contexts import BASIC, SENTINELS, Context, in_contexts
from tokharness_cases._family import NO_FACTS, mixture, range_samples, ranges, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

SINCE = "13.0"
CONTEXTS = (
    *SENTINELS,
    BASIC[0],
    BASIC[3],
    Context("inside a number", "1", "23"),
    Context("after a contraction", "a's"),
)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every code point of the sample in every context, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    for char in _sample():
        yield from in_contexts(char, f"{label(char)}, {_change(char)}", CONTEXTS)
    for first, second in pairwise(_sample()):
        yield Case(first + second, "two consecutive code points of recent versions")


def _change(char: str) -> str:
    if category_in(char, SINCE) == "Cn":
        return f"of Unicode {age(char)}"
    return f"with another category since Unicode {SINCE}"


@cache
def _sample() -> tuple[str, ...]:
    """Return ends and middle of each range that changed from one version to the next."""
    chosen: set[int] = set()
    for older, newer in pairwise(VERSIONS[VERSIONS.index(SINCE) :]):
        chosen.update(range_samples(ranges(changed(older, newer))))
    return tuple(map(chr, sorted(chosen)))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random texts around code points of recent versions."""
    return mixture(_sample())
