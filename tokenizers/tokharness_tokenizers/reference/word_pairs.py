"""Words whose pairs of tokens are counted and merged, with only the counts that change updated.

A token is a character here, from U+0000 in the order of ids, and a word is a string of them. String
methods then find and merge pairs, and characters compare as ids do. A merge only changes the words
that contain the pair.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MAX_TOKENS = 0x110000
"""The number of Unicode code points, since a token is a character during training."""

Symbol = TypeVar("Symbol", bytes, str)


@dataclass(frozen=True, slots=True)
class WordPairs:
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

    @classmethod
    def of(cls, words: Iterable[tuple[str, int]]) -> WordPairs:
        """Return words with their pairs counted; ``words`` are strings of tokens and counts.

        Words of one token are left out.
        """
        pairs: defaultdict[str, int] = defaultdict(int)
        where: defaultdict[str, list[int]] = defaultdict(list)
        texts, occurs = [], []
        long = (word for word in words if len(word[0]) > 1)
        for index, (text, count) in enumerate(long):  # all lists share one int object per index
            texts.append(text)
            occurs.append(count)
            for left, right in pairwise(text):
                pair = left + right
                pairs[pair] += count
                where[pair].append(index)
        return cls(texts, occurs, pairs, where)

    def merge(self, pair: str, made: str) -> dict[str, int]:
        """Replace a pair by ``made`` everywhere; return how the counts of other pairs changed."""
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
        return changes

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


def merge_most_frequent(
    words: WordPairs,
    names: list[Symbol],
    join: Callable[[Symbol, Symbol], Symbol],
    order: Callable[[Symbol], Any] | None,
) -> Iterator[tuple[Symbol, Symbol]]:
    """Merge the most frequent pair until none occurs twice; yield the names of its tokens.

    ``names`` has the names of the tokens by id; new names, made by ``join``, are added. Of equally
    frequent pairs, the least pair by ``order`` of the names, left, then right, is merged; without
    ``order``, the least by ids. A heap finds the next pair. Raises ValueError for more tokens than
    ``MAX_TOKENS``.
    """
    pairs = words.pairs
    keys = list(map(order, names)) if order else []

    def by_keys(pair: str) -> tuple[Any, ...]:
        return -pairs[pair], keys[ord(pair[0])], keys[ord(pair[1])], pair

    def by_ids(pair: str) -> tuple[Any, ...]:
        return -pairs[pair], pair

    entry = by_keys if order else by_ids
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
        names.append(join(left, right))
        if order:
            keys.append(order(names[-1]))
        for other, change in words.merge(pair, made).items():
            if change > 0 and pairs[other] > 1:
                heapq.heappush(heap, entry(other))
