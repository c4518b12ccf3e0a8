"""Describe the code points of a sweep that fail: ranges, categories, scripts and ages."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tokharness.unicode import properties, versions
from tokharness.unicode.scripts import script

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["describe_code_points", "summarize_code_points"]

MAX_RANGES = 12
MAX_NAMES = 4


def describe_code_points(characters: Iterable[str]) -> dict[str, Any]:
    """Return ranges of the characters, and counts by category, script and Unicode version."""
    distinct = sorted(set(characters))
    ranges = properties.ranges(map(ord, distinct)).split(", ")
    more = [f"and {len(ranges) - MAX_RANGES} more ranges"] if len(ranges) > MAX_RANGES else []
    return {
        "code_points": len(distinct),
        "ranges": ", ".join([*ranges[:MAX_RANGES], *more]),
        "categories": _counts(map(properties.category, distinct)),
        "scripts": _counts(map(script, distinct)),
        "ages": _counts(map(_age, distinct)),
    }


def summarize_code_points(points: dict[str, Any]) -> str:
    """Summarize the result of :func:`describe_code_points` in one line."""
    count = f"{points['code_points']:,} code points"
    keys = (("categories", "category"), ("scripts", "script"), ("ages", "Unicode"))
    names = [f"{label} {_names(points[key])}" for key, label in keys]
    return "; ".join([count, points["ranges"], *names])


def _age(character: str) -> str:
    age = versions.age(character) or "without it"
    return f"{age} or older" if age == versions.VERSIONS[0] else age


def _counts(values: Iterable[str]) -> dict[str, int]:
    return dict(Counter(values).most_common())


def _names(counts: dict[str, int]) -> str:
    names = list(counts)[:MAX_NAMES]
    return ", ".join(names) + (" and others" if len(counts) > len(names) else "")
