"""What training of byte-level BPE merges: as the textbook has it, and faster with the same result.

Sennrich et al. 2016, algorithm 1, over bytes and within pre-tokens as GPT-2 does: count pairs,
merge the most frequent, count again what changed.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["MOST_TOKENS", "Merge", "Ties", "merges", "merges_plainly"]

Merge: TypeAlias = "tuple[bytes, bytes]"

_Entry: TypeAlias = "tuple[int, str] | tuple[int, bytes, bytes, str]"

Ties: TypeAlias = Literal["bytes", "ids"]
"""Which of the pairs that are as frequent is merged first.

``bytes``: the least pair of byte strings, left, then right; ours. ``ids``: the least pair of ids,
where tokens are numbered as they are made, and before them bytes in the order of their characters
in GPT-2's byte alphabet: those that show themselves in Latin-1 (0x21..0x7E, 0xA1..0xAC,
0xAE..0xFF), then the others; Hugging Face's ``BpeTrainer``.
"""

MOST_TOKENS = 0x110000
"""Tokens that there are characters for."""

_SHOWN = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
_ORDER: Mapping[Ties, list[int]] = {
    "bytes": list(range(256)),
    "ids": sorted(range(256), key=lambda byte: (byte not in _SHOWN, byte)),
}


def merges_plainly(counts: Mapping[str, int], ties: Ties = "bytes") -> Iterator[Merge]:
    """Yield the merges that words teach, the first first; ``counts``: how often each word occurs.

    It ends when no pair occurs twice any more. No two merges give the same bytes, since what is
    merged within a token does not depend on what is around it. This is the algorithm to read;
    nothing but tests calls it.
    """
    ids = {bytes([byte]): number for number, byte in enumerate(_ORDER[ties])}
    words = [[bytes([byte]) for byte in word.encode()] for word in counts]
    while True:
        pairs: dict[Merge, int] = {}
        for parts, count in zip(words, counts.values(), strict=True):
            for pair in pairwise(parts):
                pairs[pair] = pairs.get(pair, 0) + count
        most = max(pairs.values(), default=0)
        if most < 2:
            return
        frequent = [pair for pair, count in pairs.items() if count == most]
        left, right = min(frequent, key=None if ties == "bytes" else lambda pair: _ids(pair, ids))
        yield left, right
        ids[left + right] = len(ids)
        for parts in words:
            at = 0
            while at + 1 < len(parts):
                if (parts[at], parts[at + 1]) == (left, right):
                    parts[at : at + 2] = [left + right]
                at += 1


def _ids(pair: Merge, ids: Mapping[bytes, int]) -> tuple[int, int]:
    left, right = pair
    return ids[left], ids[right]


def merges(counts: Mapping[str, int], ties: Ties = "bytes") -> Iterator[Merge]:
    """Yield the merges that :func:`merges_plainly` yields, counting only what changes.

    A token is a character here, U+0000 on in the order of ids, and a word a string of them: so
    strings find and merge pairs, and compare as ids do. A pair lives only in some words, so a
    merge touches only those; a heap finds the next pair. Raises ValueError where a merge makes
    more than ``MOST_TOKENS``.
    """
    names = [bytes([byte]) for byte in _ORDER[ties]]  # bytes of each character
    words = _words(counts, {byte: number for number, byte in enumerate(_ORDER[ties])})
    pairs = words.pairs

    def by_bytes(pair: str) -> _Entry:
        return -pairs[pair], names[ord(pair[0])], names[ord(pair[1])], pair

    def by_ids(pair: str) -> _Entry:
        return -pairs[pair], pair

    entry = by_bytes if ties == "bytes" else by_ids
    heap = [entry(pair) for pair, count in pairs.items() if count > 1]
    heapq.heapify(heap)
    while heap:
        negative, *_, pair = heapq.heappop(heap)
        count = pairs.get(pair, 0)
        if count != -negative:  # counted anew since it was pushed
            if count > 1:
                heapq.heappush(heap, entry(pair))
            continue
        left, right = names[ord(pair[0])], names[ord(pair[1])]
        yield left, right
        made = chr(len(names))
        names.append(left + right)
        for other in words.merge(pair, made):
            if pairs[other] > 1:
                heapq.heappush(heap, entry(other))


@dataclass(frozen=True, slots=True)
class _Words:
    """Words as they are merged so far, how often each occurs, and how often each pair does.

    ``where`` has the words, by their places, that a pair is in, and some that it was in; some more
    than once.
    """

    texts: list[str]
    occurs: list[int]
    pairs: dict[str, int]
    where: dict[str, list[int]]

    def merge(self, pair: str, made: str) -> list[str]:
        """Put ``made`` for a pair everywhere; gives the pairs that occur more often now."""
        first, last = pair[0], pair[1]
        texts = self.texts
        before: defaultdict[str, list[int]] = defaultdict(list)
        after: defaultdict[str, list[int]] = defaultdict(list)
        changes: defaultdict[str, int] = defaultdict(int)
        for index in dict.fromkeys(self.where.pop(pair)):  # a long word is not looked at twice
            head, found, tail = texts[index].partition(pair)
            if not found:  # it lost the pair to an earlier merge
                continue
            if pair in tail:
                self._merge_often(index, pair, made, [head, *tail.split(pair)], changes)
                continue
            texts[index] = head + made + tail
            if head:
                before[head[-1]].append(index)
            if tail:
                after[tail[0]].append(index)
        moved = [(char + first, char + made, indexes) for char, indexes in before.items()]
        moved += [(last + char, made + char, indexes) for char, indexes in after.items()]
        for old, new, indexes in moved:
            count = sum(map(self.occurs.__getitem__, indexes))
            changes[old] -= count
            changes[new] += count
            self.where[new] += indexes
        changes.pop(pair, None)
        del self.pairs[pair]
        for other, change in changes.items():
            self.pairs[other] = self.pairs.get(other, 0) + change
        return [other for other, change in changes.items() if change > 0]

    def _merge_often(
        self, index: int, pair: str, made: str, pieces: list[str], changes: dict[str, int]
    ) -> None:
        """Merge a pair in a word that has it more than once; ``pieces``: what it leaves of it.

        Merges may be neighbours, with an empty piece between them. Only what is beside a merge is
        counted, so that a long word takes Python no more steps than it has merges.
        """
        first, last = pair[0], pair[1]
        occurs, where = self.occurs[index], self.where
        self.texts[index] = made.join(pieces)
        final = len(pieces) - 1
        for place, piece in enumerate(pieces):
            if piece:
                moved = [(piece[-1] + first, piece[-1] + made)] if place < final else []
                if place:
                    moved.append((last + piece[0], made + piece[0]))
            else:
                moved = [(last + first, made + made)] if 0 < place < final else []
            for old, new in moved:
                changes[old] -= occurs
                changes[new] += occurs
                where[new].append(index)


def _words(counts: Mapping[str, int], number_of: Mapping[int, int]) -> _Words:
    """Words of two bytes and more as characters, with their pairs counted."""
    pairs: defaultdict[str, int] = defaultdict(int)
    where: defaultdict[str, list[int]] = defaultdict(list)
    # Latin-1 has a character for each byte.
    long = ((word.encode(), occurs) for word, occurs in counts.items() if len(word.encode()) > 1)
    texts, times = [], []
    for index, (word, occurs) in enumerate(long):  # one object for each number, in all the lists
        text = word.decode("latin-1").translate(number_of)
        texts.append(text)
        times.append(occurs)
        for left, right in pairwise(text):
            pair = left + right
            pairs[pair] += occurs
            where[pair].append(index)
    return _Words(texts, times, pairs, where)
