"""The merges of byte-level BPE training: the textbook algorithm, and a fast equivalent.

Sennrich et al. 2016, algorithm 1, over bytes and within pre-tokens as in GPT-2: count the pairs,
merge the most frequent pair, and update the counts.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["MAX_TOKENS", "Merge", "Ties", "merges", "merges_simple"]

Merge: TypeAlias = "tuple[bytes, bytes]"

_Entry: TypeAlias = "tuple[int, str] | tuple[int, bytes, bytes, str]"

Ties: TypeAlias = Literal["bytes", "ids"]
"""Which of several equally frequent pairs is merged first.

``bytes``, our own rule: the least pair of byte strings, compared left, then right. ``ids``, the
rule of Hugging Face's ``BpeTrainer``: the least pair of ids. Tokens are numbered as they are made,
after the bytes, which have the order of GPT-2's byte alphabet: those with a visible character in
Latin-1 (0x21..0x7E, 0xA1..0xAC, 0xAE..0xFF), then the others.
"""

MAX_TOKENS = 0x110000
"""The number of Unicode code points, since a token is a character during training."""

_VISIBLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
_BYTE_ORDER: Mapping[Ties, list[int]] = {
    "bytes": list(range(256)),
    "ids": sorted(range(256), key=lambda byte: (byte not in _VISIBLE, byte)),
}


def merges_simple(counts: Mapping[str, int], ties: Ties = "bytes") -> Iterator[Merge]:
    """Yield the merges that are learned from words, in order; ``counts`` maps words to counts.

    The merges end when no pair occurs at least twice. No two merges have the same bytes, since
    the merges within a token do not depend on its surroundings. This is the algorithm to read;
    only tests call it.
    """
    ids = {bytes([byte]): number for number, byte in enumerate(_BYTE_ORDER[ties])}
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
    """Yield the merges of :func:`merges_simple`, but update only the counts that change.

    A token is a character here, from U+0000 in the order of ids, and a word is a string of them.
    String methods then find and merge pairs, and characters compare as ids do. A merge only
    changes the words that contain the pair, and a heap finds the next pair. Raises ValueError for
    more tokens than ``MAX_TOKENS``.
    """
    names = [bytes([byte]) for byte in _BYTE_ORDER[ties]]  # bytes of each character
    words = _words(counts, {byte: number for number, byte in enumerate(_BYTE_ORDER[ties])})
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
        if count != -negative:  # the count has changed since the push
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
    """Words with the merges so far.

    Attributes:
        texts: The words, each a string of tokens.
        occurs: How often each word occurs.
        pairs: How often each pair occurs.
        where: The indexes of the words that contain a pair. Some may be repeated, or no longer
            contain it.

    """

    texts: list[str]
    occurs: list[int]
    pairs: dict[str, int]
    where: dict[str, list[int]]

    def merge(self, pair: str, made: str) -> list[str]:
        """Replace a pair by ``made`` everywhere; return the pairs that are now more frequent."""
        first, last = pair[0], pair[1]
        texts = self.texts
        before: defaultdict[str, list[int]] = defaultdict(list)
        after: defaultdict[str, list[int]] = defaultdict(list)
        changes: defaultdict[str, int] = defaultdict(int)
        for index in dict.fromkeys(self.where.pop(pair)):  # each word only once
            head, found, tail = texts[index].partition(pair)
            if not found:  # an earlier merge removed the pair
                continue
            if pair in tail:
                self._merge_repeated(index, pair, made, [head, *tail.split(pair)], changes)
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

    def _merge_repeated(
        self, index: int, pair: str, made: str, pieces: list[str], changes: dict[str, int]
    ) -> None:
        """Merge a pair in a word that contains it more than once, split into ``pieces`` at it.

        A piece is empty between adjacent merges. Only pairs next to a merge are counted, so a long
        word takes as many steps as it has merges.
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
    """Return the words of at least two bytes as strings of tokens, with their pairs counted."""
    pairs: defaultdict[str, int] = defaultdict(int)
    where: defaultdict[str, list[int]] = defaultdict(list)
    # Latin-1 has a character for each byte.
    long = ((word.encode(), occurs) for word, occurs in counts.items() if len(word.encode()) > 1)
    texts, counts_of_words = [], []
    for index, (word, occurs) in enumerate(long):  # all lists share one int object per index
        text = word.decode("latin-1").translate(number_of)
        texts.append(text)
        counts_of_words.append(occurs)
        for left, right in pairwise(text):
            pair = left + right
            pairs[pair] += occurs
            where[pair].append(index)
    return _Words(texts, counts_of_words, pairs, where)
