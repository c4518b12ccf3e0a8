"""Grapheme clusters (UAX #29), from ``regex``."""

from __future__ import annotations

import regex

__all__ = ["graphemes"]

_CLUSTER = regex.compile(r"\X")


def graphemes(text: str) -> list[str]:
    """Return the extended grapheme clusters of a text, in order; joined they are the text."""
    clusters: list[str] = _CLUSTER.findall(text)
    return clusters
