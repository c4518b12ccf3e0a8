"""One pass over the joined texts of all tokens, in place of a call for each of them."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["JoinedTexts", "changed_texts"]

BORDER = "\n"
"""What stands between two tokens; no pattern matches it."""

BORDERS = [*map(chr, range(0xFDD0, 0xFDF0))]
"""Noncharacters, of which one stands between two texts that are changed together."""


def changed_texts(change: Callable[[str], str], texts: Sequence[str]) -> list[str]:
    """Return ``change`` of each text, where it keeps noncharacters and nothing crosses them."""
    together = "".join(texts)
    border = next((char for char in BORDERS if char not in together), None)
    if border is None or not texts:
        return list(map(change, texts))
    return change(border.join(texts)).split(border)


class JoinedTexts:
    """The texts of tokens, joined, so that a pattern is searched for once in all of them."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        self.texts, self._ids = texts, list(texts)
        self._joined = BORDER.join(texts.values())
        self._starts = [0, *accumulate(len(text) + len(BORDER) for text in texts.values())]

    def matching(self, *patterns: str) -> dict[int, str]:
        """Return the tokens that match one of some patterns."""
        places = (
            match.start()
            for pattern in patterns
            for match in regex.finditer(pattern, self._joined, regex.V1)
        )
        numbers = dict.fromkeys(self._ids[bisect_right(self._starts, at) - 1] for at in places)
        return {number: self.texts[number] for number in numbers}
