"""Byte-pair encoding over characters, with a list of merges (Sennrich et al. 2016).

In :mod:`..merging` the rank of a pair is the rank of the token it makes. Here a pair of tokens is
merged only if the list has this pair, in the order of the list. This is the BPE of Hugging Face's
``tokenizers``; byte-level vocabularies write bytes as characters.

The library departs from it in one respect: it holds an unknown token back until a known character
follows. If only some unknown characters have tokens of bytes, these tokens come before the unknown
token. Here tokens have the order of their characters.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, repeat
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Merges: TypeAlias = "Mapping[tuple[int, int], tuple[int, int]]"
"""The rank of a pair of ids, and the id that they become."""

NEVER = (1 << 62, -1)
LONG_WORD = 32
"""Tokens above which a heap is faster than a scan of all pairs after each merge."""

GONE = -1
"""In the place of an id: what was merged, or left out."""


def merge(parts: list[tuple[int, int]], merges: Merges) -> list[tuple[int, int]]:
    """Merge tokens: the pair that is first in the list first, of equals the leftmost.

    ``parts`` are ids with their numbers of characters. This is the algorithm to read; only tests
    call it.
    """
    parts = list(parts)
    while len(parts) > 1:
        ranks = [
            (*merges.get((left, right), NEVER), at)
            for at, ((left, _), (right, _)) in enumerate(pairwise(parts))
        ]
        rank, merged, at = min(ranks)
        if rank == NEVER[0]:
            break
        parts[at : at + 2] = [(merged, parts[at][1] + parts[at + 1][1])]
    return parts


@dataclass(frozen=True, eq=False)
class MergeTable:
    """The table of pairs of a list of merges, which models with the same list share."""

    vocabulary: Mapping[str, int]
    merges: Sequence[tuple[str, str]]
    prefix: str

    @cached_property
    def pairs(self) -> dict[tuple[int, int], tuple[int, int]]:
        """The rank of each pair of ids that is merged, and the id that it becomes."""
        ids, skip = self.vocabulary, len(self.prefix)
        # A pair that occurs twice in the list has its last place.
        return {
            (ids[left], ids[right]): (rank, ids[left + right[skip:]])
            for rank, (left, right) in enumerate(self.merges)
        }


@dataclass(frozen=True)
class BPE:
    """A vocabulary and its merges.

    Attributes:
        vocabulary: The id of each token.
        merges: The pairs of tokens that are merged, in order.
        unknown: The token of a character that the vocabulary does not have. None: such a character
            is left out.
        prefix: Begins each token that continues a word, before merging.
        suffix: Ends the last token of a word.
        fuse_unknown: Whether neighbouring unknown characters are one token.
        byte_fallback: Whether the bytes of an unknown character are tokens such as ``<0xE2>``,
            if each byte has a token.
        ignore_merges: Whether a word that is a token is this token, even if no merges lead to it.
        separates: Whether a character that is left out separates its neighbours, which are merged
            otherwise.
        shared: The table of another model, which is used if it has the same vocabulary and merges.

    """

    vocabulary: Mapping[str, int] = field(repr=False)
    merges: Sequence[tuple[str, str]] = field(repr=False)
    unknown: str | None = None
    prefix: str = ""
    suffix: str = ""
    fuse_unknown: bool = False
    byte_fallback: bool = False
    ignore_merges: bool = False
    separates: bool = False
    shared: MergeTable | None = field(default=None, repr=False, compare=False)

    @cached_property
    def table(self) -> MergeTable:
        """The table of the merges."""
        own, known = MergeTable(self.vocabulary, self.merges, self.prefix), self.shared
        is_same = (
            known is not None
            and known.vocabulary is own.vocabulary
            and known.merges is own.merges
            and known.prefix == own.prefix
        )
        return known if known is not None and is_same else own

    @cached_property
    def pairs(self) -> dict[tuple[int, int], tuple[int, int]]:
        """The rank of each pair of ids that is merged, and the id that it becomes."""
        return self.table.pairs

    @property
    def unknown_id(self) -> int | None:
        """The id of the unknown token; None if the vocabulary lacks it."""
        return None if self.unknown is None else self.vocabulary.get(self.unknown)

    def tokens(self, word: str) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each token of a word.

        Raises:
            KeyError: a character is unknown, and the vocabulary lacks the unknown token.

        """
        if self.ignore_merges and word in self.vocabulary:
            return [(self.vocabulary[word], len(word))]
        parts = self.first_tokens(word)
        merged = merge_by_scan if len(parts) < LONG_WORD else merge_by_heap
        return merged(parts, self.pairs)

    def first_tokens(self, word: str) -> list[tuple[int, int]]:
        """Return the tokens of the characters of a word, before the first merge."""
        if not (self.prefix or self.suffix):
            ids = list(map(self.vocabulary.get, word))
            if None not in ids:
                return list(zip(ids, repeat(1)))  # type: ignore[arg-type]
        tokens: list[tuple[int, int]] = []
        fusing = False
        for at, char in enumerate(word):
            text = (self.prefix if at else "") + char + (self.suffix if at == len(word) - 1 else "")
            known = self.vocabulary.get(text)
            if known is not None:
                tokens.append((known, 1))
            elif fallback := self._bytes(text):
                tokens += [(fallback[0], 1), *((token, 0) for token in fallback[1:])]
            elif self.unknown is not None:
                if fusing and self.fuse_unknown:
                    tokens[-1] = (tokens[-1][0], tokens[-1][1] + 1)
                else:
                    tokens.append((self._unknown_id(), 1))
                fusing = True
                continue
            elif self.separates:
                tokens.append((GONE, 0))
            fusing = False
        return tokens

    def _unknown_id(self) -> int:
        try:
            return self.vocabulary[self.unknown or ""]
        except KeyError:
            message = f"the vocabulary lacks the unknown token {self.unknown!r}"
            raise KeyError(message) from None

    def _bytes(self, text: str) -> list[int]:
        if not self.byte_fallback:
            return []
        tokens = [self.vocabulary.get(f"<0x{byte:02X}>") for byte in text.encode()]
        return [] if None in tokens else [token for token in tokens if token is not None]


def merge_by_scan(parts: list[tuple[int, int]], merges: Merges) -> list[tuple[int, int]]:
    """Merge as :func:`merge` does, with a list of the rank of every pair; quadratic in parts."""
    pairs = list(map(merges.get, pairwise([token for token, _ in parts]), repeat(NEVER)))
    while pairs:
        least = min(pairs)
        if least is NEVER:
            break
        at = pairs.index(least)
        parts[at : at + 2] = [(least[1], parts[at][1] + parts[at + 1][1])]
        del pairs[at]
        for place in (at - 1, at):
            if 0 <= place < len(pairs):
                pairs[place] = merges.get((parts[place][0], parts[place + 1][0]), NEVER)
    return [part for part in parts if part[0] != GONE]


def merge_by_heap(parts: list[tuple[int, int]], merges: Merges) -> list[tuple[int, int]]:
    """Merge as :func:`merge` does, with a heap of pairs over linked parts: n log n in parts."""
    ids: list[int] = [token for token, _ in parts]
    lengths = [length for _, length in parts]
    size = len(ids)
    after, before = list(range(1, size + 1)), list(range(-1, size - 1))
    heap = []
    for at in range(size - 1):
        found = merges.get((ids[at], ids[at + 1]))
        if found:
            heap.append((found[0], at, ids[at], ids[at + 1], found[1]))
    heapq.heapify(heap)
    while heap:
        _, at, left, right, merged = heapq.heappop(heap)
        next_at = after[at]
        if ids[at] != left or next_at >= size or ids[next_at] != right:
            continue  # a part was merged since
        ids[at], ids[next_at] = merged, GONE
        lengths[at] += lengths[next_at]
        following = after[at] = after[next_at]
        if following < size:
            before[following] = at
            found = merges.get((merged, ids[following]))
            if found:
                heapq.heappush(heap, (found[0], at, merged, ids[following], found[1]))
        previous = before[at]
        if previous >= 0:
            found = merges.get((ids[previous], merged))
            if found:
                heapq.heappush(heap, (found[0], previous, ids[previous], merged, found[1]))
    return [(token, length) for token, length in zip(ids, lengths, strict=True) if token != GONE]
