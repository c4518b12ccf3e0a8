"""What languages cost by names of CLDR, in bands, and which of them a target does not lose."""

from __future__ import annotations

from collections import Counter

from tokharness.unicode.normalization import normalize

__all__ = ["BANDS", "MOST_LOST", "band_for", "is_mostly_lost", "lost_characters"]

_LIMITS = (1.5, 2.0, 3.0, 5.0)

BANDS = (*(f"up to {limit:g}" for limit in _LIMITS), f"over {_LIMITS[-1]:g}")
"""The bands of costs, in times the tokens of English, the lowest first."""

MOST_LOST = 0.1
"""Share of its characters that a text may lose; with more, its tokens are not those of the text."""


def band_for(times: float) -> str:
    """Return the band of a cost."""
    return BANDS[sum(times > limit for limit in _LIMITS)]


def lost_characters(text: str, decoded: str) -> int:
    """Count the characters that the decoded text lacks.

    Case, white space, compatible forms and the order of characters do not count.
    """
    return (_significant(text) - _significant(decoded)).total()


def is_mostly_lost(text: str, decoded: str) -> bool:
    """Whether a decoded text lacks more than a tenth of the characters."""
    return text != decoded and lost_characters(text, decoded) > MOST_LOST * len(text)


def _significant(text: str) -> Counter[str]:
    return Counter("".join(normalize("NFKD", text).casefold().split()))
