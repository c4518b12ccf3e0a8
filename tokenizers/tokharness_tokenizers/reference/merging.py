"""Byte-pair merging of a pre-token: the textbook algorithm, fast ones, and other choices.

Ports depart in the order of merges (the rightmost of equal pairs, the highest rank, ranks as text,
which is how JavaScript sorts numbers), and at the ends of a loop: a pair at an end of a pre-token,
or its only pair, is never looked at.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import pairwise, repeat
from operator import add
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence


Key = TypeVar("Key")

Pairs: TypeAlias = "Mapping[tuple[int, int], int]"
"""The rank of each token of two bytes."""

NEVER = 1 << 62
"""Above every rank: the rank of a pair that is not a token."""

_BYTES = tuple(bytes([byte]) for byte in range(256))

LONG_PIECE = 60
"""Length in bytes above which a heap is faster than a scan of all pairs after each merge."""


def merge(piece: bytes, ranks: Mapping[bytes, int]) -> list[bytes]:
    """Merge bytes into tokens: the pair with the lowest rank first, of equals the leftmost.

    This is the algorithm to read; only tests call it. Sennrich et al. 2016, "Neural Machine
    Translation of Rare Words with Subword Units", on bytes as in GPT-2. The rank of a pair is the
    rank of its bytes, however they were merged, as in tiktoken.
    """
    parts = [bytes([byte]) for byte in piece]
    while True:
        pairs = [
            (ranks[left + right], index)
            for index, (left, right) in enumerate(pairwise(parts))
            if left + right in ranks
        ]
        if not pairs:
            return parts
        _, best = min(pairs)
        parts[best : best + 2] = [parts[best] + parts[best + 1]]


def merge_short(
    piece: bytes, ranks: Mapping[bytes, int], pairs_of_bytes: Pairs | None = None
) -> list[bytes]:
    """Merge as :func:`merge` does, with a list of the rank of every pair; quadratic in bytes.

    ``pairs_of_bytes`` are the ``ranks`` of the tokens of two bytes, a smaller and faster table.
    """
    rank_of = ranks.get
    parts = list(map(_BYTES.__getitem__, piece))
    pairs = list(_ranks_of_pairs(piece, ranks, pairs_of_bytes))
    while pairs:
        least = min(pairs)
        if least == NEVER:
            break
        at = pairs.index(least)
        merged = parts[at] + parts.pop(at + 1)
        parts[at] = merged
        del pairs[at]
        if at < len(pairs):
            pairs[at] = rank_of(merged + parts[at + 1], NEVER)
        if at:
            pairs[at - 1] = rank_of(parts[at - 1] + merged, NEVER)
    return parts


def merge_long(
    piece: bytes, ranks: Mapping[bytes, int], pairs_of_bytes: Pairs | None = None
) -> list[bytes]:
    """Merge as :func:`merge` does, with a heap of pairs over linked parts: n log n in bytes."""
    size = len(piece)
    end = list(range(1, size + 1))  # of the part that starts here; 0: no part starts here
    before = list(range(-1, size - 1))  # start of the part to the left
    rank_of = ranks.get
    # Rank, start and stop of a pair in one number, which sorts alike and is faster than a tuple.
    bits = size.bit_length()
    mask, high = (1 << bits) - 1, 2 * bits
    first = enumerate(_ranks_of_pairs(piece, ranks, pairs_of_bytes))
    heap = [rank << high | at << bits | at + 2 for at, rank in first if rank != NEVER]
    heapq.heapify(heap)
    while heap:
        entry = heapq.heappop(heap)
        start, stop = entry >> bits & mask, entry & mask
        middle = end[start]
        # An entry is stale unless its two parts are still adjacent, with the same end.
        if not middle or middle >= size or end[middle] != stop:
            continue
        end[start], end[middle] = stop, 0
        if stop < size:
            before[stop] = start
            far = end[stop]
            rank = rank_of(piece[start:far])
            if rank is not None:
                heapq.heappush(heap, rank << high | start << bits | far)
        if start:
            near = before[start]
            rank = rank_of(piece[near:stop])
            if rank is not None:
                heapq.heappush(heap, rank << high | near << bits | stop)
    return [piece[at:stop] for at, stop in enumerate(end) if stop]


def _ranks_of_pairs(
    piece: bytes, ranks: Mapping[bytes, int], pairs_of_bytes: Pairs | None
) -> Iterator[int]:
    """Return the rank of each pair of neighbouring bytes, NEVER if it is not a token."""
    if pairs_of_bytes is not None:
        return map(pairs_of_bytes.get, pairwise(piece), repeat(NEVER))
    parts = list(map(_BYTES.__getitem__, piece))
    return map(ranks.get, map(add, parts, parts[1:]), repeat(NEVER))


def encode_piece(
    piece: bytes, ranks: Mapping[bytes, int], pairs_of_bytes: Pairs | None = None
) -> tuple[int, ...]:
    """Return the ids of the bytes of one pre-token; ``pairs_of_bytes`` as in :func:`merge_short`.

    A pre-token that is a token has its id, even if no merges lead to it, as in tiktoken. Raises
    KeyError for a byte without a token.
    """
    whole = ranks.get(piece)
    if whole is not None:
        return (whole,)
    return merged_ids(piece, ranks, pairs_of_bytes)


def merged_ids(
    piece: bytes, ranks: Mapping[bytes, int], pairs_of_bytes: Pairs | None = None
) -> tuple[int, ...]:
    """Return the ids that merges make, as :func:`encode_piece` does if the piece is not a token."""
    if len(piece) < LONG_PIECE:
        parts = merge_short(piece, ranks, pairs_of_bytes)
    else:
        parts = merge_long(piece, ranks, pairs_of_bytes)
    try:
        return tuple(map(ranks.__getitem__, parts))
    except KeyError as error:
        raise KeyError(f"no token stands for the byte 0x{error.args[0][0]:02X}") from None


class PieceIds(dict[str, tuple[int, ...]]):
    """A cache from pre-token to ids, which merges a missing pre-token and is cleared when full.

    Long pre-tokens have a part of their own, which few of them fill: alterations of a tokenizer
    encode one long text hundreds of times. A pre-token without anything to merge, such as most
    rare characters, costs less than its place in the cache. Raises UnicodeEncodeError for a
    pre-token with a surrogate.
    """

    __slots__ = ("id_of_byte", "long", "long_characters", "pairs_of_bytes", "ranks")

    max_pieces = 1 << 17
    max_length = 64
    max_long_characters = 1 << 18

    def __init__(self, ranks: Mapping[bytes, int], pairs_of_bytes: Pairs | None = None) -> None:
        super().__init__()
        self.ranks = ranks
        self.long: dict[str, tuple[int, ...]] = {}
        self.long_characters = 0
        self.pairs_of_bytes: Pairs = pairs_of_bytes or {
            (token[0], token[1]): rank for token, rank in ranks.items() if len(token) == 2
        }
        self.id_of_byte = {
            byte: ranks[token] for byte, token in enumerate(_BYTES) if token in ranks
        }

    def edited(self, new: Mapping[bytes, int | None]) -> PieceIds:
        """Return an empty cache with other ranks of some tokens; None: without the token.

        Copies of the tables take a quarter of the time in which all tokens make new ones.
        """
        ranks, pairs = dict(self.ranks), dict(self.pairs_of_bytes)
        for token, rank in new.items():
            _place(ranks, token, rank)
            if len(token) == 2:
                _place(pairs, (token[0], token[1]), rank)
        return PieceIds(ranks, pairs)

    def __missing__(self, piece: str) -> tuple[int, ...]:
        length = len(piece)
        if length > self.max_length and piece in self.long:
            return self.long[piece]
        data = piece.encode()
        if self.pairs_of_bytes.keys().isdisjoint(pairwise(data)) and data not in self.ranks:
            try:
                return tuple(map(self.id_of_byte.__getitem__, data))
            except KeyError:
                pass  # encode_piece raises one with a message
        ids = encode_piece(data, self.ranks, self.pairs_of_bytes)
        if length <= self.max_length:
            if len(self) >= self.max_pieces:
                self.clear()
            self[piece] = ids
        elif length <= self.max_long_characters:
            self.long_characters += length
            if self.long_characters > self.max_long_characters:
                self.long, self.long_characters = {}, length
            self.long[piece] = ids
        return ids


def _place(ranks: dict[Key, int], key: Key, rank: int | None) -> None:
    if rank is None:
        del ranks[key]
    else:
        ranks[key] = rank


Part = TypeVar("Part")

NOT_FIRST, NOT_LAST, UNTIL_FIRST, UNTIL_LAST, UNTIL_TWO = range(5)
"""Whether the first or the last pair is never merged, or ends the merging, or two parts end it."""


@dataclass(frozen=True)
class Choice:
    """Which pair is merged next: that with the least key of its rank and its place, with limits."""

    key: Callable[[Any, int], Any] = lambda rank, place: (rank, place)
    limit: int | None = None


def merged_by(
    choice: Choice,
    parts: Sequence[Part],
    rank_of: Callable[[Part, Part], Any],
    join: Callable[[Part, Part], Part],
) -> list[Part]:
    """Return parts after all merges that are chosen: n log n for n parts, as :func:`merge_long`.

    ``rank_of`` returns None for two parts that are not merged.
    """
    size, left = len(parts), len(parts)
    parts, key, limit = list(parts), choice.key, choice.limit
    end, before = list(range(1, size + 1)), list(range(-1, size - 1))
    heap: list[tuple[Any, int, int, int]] = []
    unseen: Iterable[int] = range(size - 1)
    while True:
        for start in unseen:
            middle = end[start]
            stop = end[middle]
            if (limit == NOT_FIRST and start == 0) or (limit == NOT_LAST and stop == size):
                continue
            rank = rank_of(parts[start], parts[middle])
            if rank is not None:
                heapq.heappush(heap, (key(rank, start), start, middle, stop))
        while heap:
            _, start, middle, stop = heapq.heappop(heap)
            if end[start] == middle and end[middle] == stop:  # else a part was merged since
                break
        else:
            break
        at_end = (limit == UNTIL_FIRST and start == 0) or (limit == UNTIL_LAST and stop == size)
        if at_end or (limit == UNTIL_TWO and left == 2):
            break
        parts[start] = join(parts[start], parts[middle])
        end[start], end[middle] = stop, 0
        left -= 1
        if stop < size:
            before[stop] = start
        unseen = [*before[start : start + (start > 0)], *([start] if stop < size else ())]
    return [part for part, stop in zip(parts, end, strict=True) if stop]


SIXTEEN_BITS: Final = 1 << 16

CHOICES: Final[Mapping[str, Choice]] = {
    "the rightmost of equal pairs is merged first": Choice(lambda rank, place: (rank, -place)),
    "the pair with the highest rank is merged first": Choice(lambda rank, place: (-rank, place)),
    "ranks are compared as text": Choice(lambda rank, place: (str(rank), place)),
    "the first pair of a pre-token is not merged": Choice(limit=NOT_FIRST),
    "the last pair of a pre-token is not merged": Choice(limit=NOT_LAST),
    "the last two tokens of a pre-token are not merged": Choice(limit=UNTIL_TWO),
    "merging ends when the first pair of a pre-token is next": Choice(limit=UNTIL_FIRST),
    "merging ends when the last pair of a pre-token is next": Choice(limit=UNTIL_LAST),
}
"""What is chosen, in a few words, and the choice."""


def choices(ranks: int) -> Mapping[str, Choice]:
    """Return what may be chosen among so many ranks: some do not fit into 16 bits."""
    if ranks <= SIXTEEN_BITS:
        return CHOICES
    cut = Choice(lambda rank, place: (rank % SIXTEEN_BITS, place))
    return {**CHOICES, "only 16 bits of a rank count": cut}
