"""Tokens in the order of their ids, and whether this is the order of merges."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from tokharness.diagnosis.token_content.texts import PARTIAL

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

__all__ = ["OrderedTokens", "is_only_inside"]

SAMPLE = 2000
"""Tokens that are looked at to see whether ids follow the order of merges."""

ENOUGH = 0.98
"""Share of them that are two tokens with smaller ids, if ids follow the order of merges.

It is 0.99 and more for vocabularies of merges, and at most 0.85 for Unigram and BERT's WordPiece.
"""

BORDER = "\ufdd0"
"""What stands around each token, a noncharacter."""

MANY = 200
"""Texts for which it is faster to leave out the tokens that hold none of them."""


class OrderedTokens:
    """The texts of tokens in the order of their ids, with U+FFFD for parts of characters.

    ``places`` has the first place of each text.
    """

    def __init__(self, texts: Mapping[int, str]) -> None:
        self.ids = sorted(texts)
        self.tokens = [texts[number] for number in self.ids]
        backwards = range(len(self.ids) - 1, -1, -1)
        self.places = dict(zip(reversed(self.tokens), backwards, strict=True))
        self._joined = _joined(self.tokens)
        lengths = (len(text) + len(BORDER) for text in self.tokens)
        self._starts = [*accumulate(lengths, initial=len(BORDER))]

    def inside_next(self, most: int) -> list[int]:
        """Return the places of tokens of two or more characters that one of the next holds.

        ``most`` is the number of next tokens that are looked at.
        """
        find = self._joined.find
        starts = self._starts + self._starts[-1:] * most
        return [
            place
            for place, text in enumerate(self.tokens)
            if len(text) > 1 and find(text, starts[place + 1], starts[place + 1 + most]) >= 0
        ]

    def holding(self, texts: Collection[str]) -> str:
        """Return the tokens, joined, without those that hold none of many texts."""
        if len(texts) < MANY:
            return self._joined
        heads = {text[:2] for text in texts}
        return _joined(
            text
            for text in self.tokens
            if any(text[at : at + 2] in heads for at in range(len(text) - 1))
        )

    def follow_merges(self) -> bool:
        """Whether nearly each token is two tokens before it; a single character counts as one."""
        step = max(1, len(self.tokens) // SAMPLE)
        sample = [
            place
            for place in range(0, len(self.tokens), step)
            if len(self.tokens[place]) > 1 and PARTIAL not in self.tokens[place]
        ]
        return sum(map(self._is_merged, sample)) >= ENOUGH * len(sample) > 0

    def _is_merged(self, place: int) -> bool:
        text = self.tokens[place]
        return any(
            self._is_before(place, text[:cut]) and self._is_before(place, text[cut:])
            for cut in range(1, len(text))
        )

    def _is_before(self, place: int, text: str) -> bool:
        return len(text) == 1 or self.places.get(text, place) < place


def is_only_inside(text: str, longer: str, joined: str) -> bool:
    """Whether joined tokens that hold a text hold it as the start or the end of ``longer``.

    The token that is the text itself does not count.
    """
    ahead = 0 if longer.startswith(text) else len(longer) - len(text)
    itself = f"{BORDER}{text}{BORDER}"
    at = joined.find(text)
    while at >= 0:
        if not joined.startswith(longer, max(0, at - ahead)) and not joined.startswith(
            itself, at - 1
        ):
            return False
        at = joined.find(text, at + 1)
    return True


def _joined(tokens: Iterable[str]) -> str:
    return f"{BORDER}{BORDER.join(tokens)}{BORDER}"
