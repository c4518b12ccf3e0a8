"""The tokens that match patterns, found in one pass over all tokens for each pattern."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["tokens_by_pattern"]

BORDER = "\n"
"""What stands between two tokens; no pattern matches it or looks behind it."""


def tokens_by_pattern(
    patterns: Mapping[str, str], texts: Mapping[int, str]
) -> dict[str, dict[int, str]]:
    """Return the tokens that match each pattern, by its name."""
    ids, joined = list(texts), BORDER.join(texts.values())
    starts = [0, *accumulate(len(text) + len(BORDER) for text in texts.values())]
    found = {}
    for name, pattern in patterns.items():
        places = (match.start() for match in regex.finditer(pattern, joined, regex.V1))
        numbers = dict.fromkeys(ids[bisect_right(starts, place) - 1] for place in places)
        found[name] = {number: texts[number] for number in numbers}
    return found
