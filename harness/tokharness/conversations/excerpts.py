"""Short parts of texts, for the evidence of findings."""

from __future__ import annotations

BEFORE, MOST = 16, 48
"""Characters of an excerpt before the place, and in all."""


def differing(given: str, expected: str) -> dict[str, str]:
    """Return both texts from a little before the first difference on."""
    place = common(given, expected)
    return {"given": excerpt(given, place), "expected": excerpt(expected, place)}


def common(first: str, second: str) -> int:
    """Return the number of characters that both texts begin with."""
    least, most = 0, min(len(first), len(second))
    while least < most:
        middle = (least + most + 1) // 2
        if first.startswith(second[:middle]):
            least = middle
        else:
            most = middle - 1
    return least


def excerpt(text: str, place: int) -> str:
    """Return the part of a text around a place."""
    start = max(place - BEFORE, 0)
    before = "..." if start else ""
    after = "..." if start + MOST < len(text) else ""
    return f"{before}{text[start : start + MOST]}{after}"
