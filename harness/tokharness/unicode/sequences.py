"""Variation and named sequences of the UCD, from ``sequences.json``, which says how it was made.

They are those of Unicode 17.0.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["emoji_variants", "named_sequences", "standardized_variants"]


@cache
def standardized_variants() -> tuple[str, ...]:
    """Return every sequence of StandardizedVariants.txt: a base and a selector (1,306)."""
    return _variants("standardized")


@cache
def emoji_variants() -> tuple[str, ...]:
    """Return every sequence of emoji-variation-sequences.txt, text and emoji style (742)."""
    return _variants("emoji")


@cache
def named_sequences() -> dict[str, str]:
    """Return the sequences of NamedSequences.txt by their names (461)."""
    return {name: _text(points) for name, points in _table()["named"].items()}


def _variants(kind: str) -> tuple[str, ...]:
    by_selector: dict[str, str] = _table()[kind]
    return tuple(
        base + _text(selector)
        for selector, bases in by_selector.items()
        for base in map(_text, bases.split())
    )


def _text(points: str) -> str:
    return "".join(chr(int(point, 16)) for point in points.split())


@cache
def _table() -> dict[str, Any]:
    source = files("tokharness.unicode").joinpath("sequences.json").read_text(encoding="ascii")
    table: dict[str, Any] = json.loads(source)
    return table
