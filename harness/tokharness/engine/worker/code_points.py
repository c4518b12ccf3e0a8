"""Which code points the failing texts of a sweep have in common, told as ranges."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tokharness.unicode import properties, versions
from tokharness.unicode.scripts import script

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["describe_code_points", "summarize_code_points"]

MOST_RANGES = 12
MOST_NAMED = 4


def describe_code_points(characters: Iterable[str]) -> dict[str, Any]:
    """Ranges of some characters, and how many are of each category, script and Unicode version."""
    found = sorted(set(characters))
    ranges = properties.ranges(map(ord, found)).split(", ")
    more = [f"and {len(ranges) - MOST_RANGES} more ranges"] if len(ranges) > MOST_RANGES else []
    return {
        "code_points": len(found),
        "ranges": ", ".join([*ranges[:MOST_RANGES], *more]),
        "categories": _counts(map(properties.category, found)),
        "scripts": _counts(map(script, found)),
        "ages": _counts(map(_age, found)),
    }


def summarize_code_points(points: dict[str, Any]) -> str:
    """Say in a few words what was described."""
    how_many = f"{points['code_points']:,} code points"
    named = [_named(points[key]) for key in ("categories", "scripts")]
    return "; ".join([how_many, points["ranges"], *named, f"Unicode {_named(points['ages'])}"])


def _age(character: str) -> str:
    age = versions.age(character) or "without it"
    return f"{age} or older" if age == versions.VERSIONS[0] else age


def _counts(values: Iterable[str]) -> dict[str, int]:
    return dict(Counter(values).most_common())


def _named(counts: dict[str, int]) -> str:
    names = list(counts)[:MOST_NAMED]
    return ", ".join(names) + (" and others" if len(counts) > len(names) else "")
