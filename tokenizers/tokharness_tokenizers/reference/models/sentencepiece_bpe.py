"""The BPE of SentencePiece: neighbours are merged by the score of the piece that they become.

Source: Kudo and Richardson 2018, after Sennrich et al. 2016. There is no list of merges: any two
neighbours whose texts joined are a piece may become it, the piece with the highest score first, and
the leftmost among equals. User-defined pieces are found before and never merged.

An unused piece takes part in merging, and is then split again into the two parts of its last merge.
A remaining part that is not a piece is unknown.
"""

from __future__ import annotations

import heapq
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

Pair: TypeAlias = tuple[float, int, int, str]
"""The negative score of a merged pair, the places of its parts, and their joined text."""

Skips: TypeAlias = "Callable[[], bool]"

_MOST_PARTS: Final = 100
"""Most splits of an unused piece; after that, it stays as it is."""


@dataclass(frozen=True)
class SentencePieceBPE:
    """Pieces with scores.

    Attributes:
        vocabulary: The ids of the pieces that text may become.
        scores: The score of each piece, by id.
        unknown: The id of a part that is not a piece.
        user_defined: The pieces that are found before merging, from the left, the longest first.
        unused: The ids of the unused pieces.

    """

    vocabulary: Mapping[str, int] = field(repr=False)
    scores: Sequence[float] = field(repr=False)
    unknown: int = -1
    user_defined: tuple[str, ...] = ()
    unused: Collection[int] = frozenset()

    @property
    def unknown_id(self) -> int | None:
        """The id of the unknown piece; None if there is none."""
        return None if self.unknown < 0 else self.unknown

    def tokens(self, word: str, skips: Skips = bool) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each token of a text.

        ``skips`` says for each merge in turn whether it is left out; by default, no merge is.
        """
        parts, frozen = self._first_parts(word)
        origins: dict[str, tuple[str, str]] = {}
        self._merge(parts, frozen, origins, skips)
        pieces = [part for part in parts if part]
        if self.unused:
            pieces = [one for part in pieces for one in self._taken_apart(part, origins, 0)]
        find, unknown = self.vocabulary.get, self.unknown
        tokens = [(find(piece, unknown), len(piece)) for piece in pieces]
        if self.unused:
            return [(unknown if i in self.unused else i, length) for i, length in tokens]
        return tokens

    @cached_property
    def _split(self) -> re.Pattern[str]:
        longest_first = sorted(self.user_defined, key=lambda text: (-len(text), text))
        return re.compile(f"({'|'.join(map(re.escape, longest_first))})")

    def _first_parts(self, word: str) -> tuple[list[str], Collection[int]]:
        """Return the characters and the user-defined pieces, and the places of the latter."""
        if not self.user_defined:
            return list(word), ()
        parts: list[str] = []
        frozen: set[int] = set()
        for place, text in enumerate(self._split.split(word)):
            if place % 2:
                frozen.add(len(parts))
                parts.append(text)
            else:
                parts += text
        return parts, frozen

    def _merge(
        self,
        parts: list[str],
        frozen: Collection[int],
        origins: dict[str, tuple[str, str]],
        skips: Skips,
    ) -> None:
        """Merge parts in place; the right part of a merged pair becomes the empty text."""
        size = len(parts)
        after, before = list(range(1, size + 1)), list(range(-1, size - 1))

        def pairs(lefts: Iterable[int]) -> Iterator[Pair]:
            for left in lefts:
                if left < 0 or (right := after[left]) >= size:
                    continue
                text = parts[left] + parts[right]
                number = self.vocabulary.get(text)
                if number is not None and left not in frozen and right not in frozen:
                    if number in self.unused:
                        origins[text] = parts[left], parts[right]
                    yield -self.scores[number], left, right, text

        heap = list(pairs(range(size)))
        heapq.heapify(heap)
        while heap:
            _, left, right, text = heapq.heappop(heap)
            one, other = parts[left], parts[right]
            # A part may have been merged since.
            if not one or not other or one + other != text or skips():
                continue
            parts[left], parts[right] = text, ""
            following = after[left] = after[right]
            if following < size:
                before[following] = left
            for pair in pairs((before[left], left)):
                heapq.heappush(heap, pair)

    def _taken_apart(
        self, part: str, origins: Mapping[str, tuple[str, str]], depth: int
    ) -> Iterable[str]:
        number = self.vocabulary.get(part)
        if number not in self.unused or part not in origins or depth > _MOST_PARTS:
            yield part
            return
        for inner in origins[part]:
            yield from self._taken_apart(inner, origins, depth + 1)
