"""Short parts of texts, for the evidence of findings."""

from __future__ import annotations

import os

BEFORE, MOST = 16, 48
"""Characters of an excerpt before the place, and in all."""


def differing(given: str, expected: str) -> dict[str, str]:
    """Return both texts from a little before the first difference on."""
    place = common(given, expected)
    return {"given": excerpt(given, place), "expected": excerpt(expected, place)}


def common(first: str, second: str) -> int:
    """Return the number of characters that both texts begin with."""
    return len(os.path.commonprefix([first, second]))  # noqa: RUF071 - of texts


def excerpt(text: str, place: int) -> str:
    """Return the part of a text around a place."""
    start = max(place - BEFORE, 0)
    before = "..." if start else ""
    after = "..." if start + MOST < len(text) else ""
    return f"{before}{text[start : start + MOST]}{after}"
