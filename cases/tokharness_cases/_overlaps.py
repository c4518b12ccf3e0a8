"""Texts in which two merges, or two pieces with scores, compete for the same part.

In ``x y z`` the merge of x and y overlaps the merge of y and z, and the merge with the lower rank
takes y. Pieces of a Unigram model overlap in the same way: the text is ``xy`` and ``z``, or ``x``
and ``yz``, whichever has the higher sum of scores. So both models have *costs*: the rank of a
merge, or the score of the rest of a piece minus the score of the piece. The lower cost takes the
part that both need, and a text is more sensitive to a change if the two costs are close.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Pair: TypeAlias = tuple[bytes, bytes]
Rows: TypeAlias = "dict[bytes, list[tuple[float, bytes]]]"

LONGEST_PART = 2
"""Longest part, in characters, that two pieces of a Unigram model share."""

MOST_LEVELS = 3
"""Merges after a merge of parts of characters until the bytes are whole characters, at most."""

TRIED = 2
"""Neighbours among which a neighbour without a text is searched for."""


@dataclass(frozen=True)
class Overlaps:
    """The merges or pieces that compete for parts of texts.

    Attributes:
        before: The cost of taking a part with the text before it, by this text and the part.
        after: The cost of taking a part with the text after it, by the part and this text.
        rows_before: The costs of ``before`` with the other text, by the part, lowest first.
        rows_after: The same of ``after``.
        units: The pairs of ``before`` and of ``after`` that belong to each merge or piece.

    """

    before: Mapping[Pair, float]
    after: Mapping[Pair, float]
    rows_before: Rows = field(repr=False)
    rows_after: Rows = field(repr=False)
    units: Sequence[tuple[Sequence[Pair], Sequence[Pair]]] = field(repr=False)


def overlaps_of_merges(merges: Sequence[Pair]) -> Overlaps:
    """Return the overlaps of merges, which are given in their order."""
    ranks: dict[Pair, float] = {pair: rank for rank, pair in enumerate(merges)}
    rows_before: Rows = defaultdict(list)
    rows_after: Rows = defaultdict(list)
    for (left, right), rank in ranks.items():
        rows_before[right].append((rank, left))
        rows_after[left].append((rank, right))
    units = [(one, one) for one in zip(ranks)]
    return Overlaps(ranks, ranks, dict(rows_before), dict(rows_after), units)


def overlaps_of_scores(pieces: Sequence[tuple[bytes, float]]) -> Overlaps:
    """Return the overlaps of the pieces of a Unigram model."""
    scores = {data.decode(): score for data, score in pieces}
    before: dict[Pair, float] = {}
    after: dict[Pair, float] = {}
    rows_before: Rows = defaultdict(list)
    rows_after: Rows = defaultdict(list)
    units = []
    for piece, score in scores.items():
        unit: tuple[list[Pair], list[Pair]] = [], []
        for size in range(1, min(LONGEST_PART + 1, len(piece))):
            for at, costs, rows, pairs in (
                (len(piece) - size, before, rows_before, unit[0]),
                (size, after, rows_after, unit[1]),
            ):
                first, second = piece[:at], piece[at:]
                rest, part = (first, second) if costs is before else (second, first)
                if rest in scores:
                    pair = first.encode(), second.encode()
                    costs[pair] = scores[rest] - score
                    rows[part.encode()].append((costs[pair], rest.encode()))
                    pairs.append(pair)
        units.append(unit)
    for row in chain(rows_before.values(), rows_after.values()):
        row.sort()
    return Overlaps(before, after, dict(rows_before), dict(rows_after), units)


def texts_of(overlaps: Overlaps, neighbours: int) -> Iterator[str]:
    """Yield texts in which each merge or piece competes with those of the nearest costs.

    It competes with ``neighbours`` neighbours of higher cost and as many of lower cost, and has a
    text of its own if nothing overlaps it. With 0 neighbours, each merge or piece is in at least
    one text, which may be a neighbour's, and a merge or piece that nothing overlaps is left out:
    its place decides nothing.
    """
    if not neighbours:
        yield from _each_once(overlaps)
        return
    for pairs in overlaps.units:
        above, below = _competing(overlaps, pairs, neighbours)
        found = [text for text, _ in (*above, *below)]
        yield from found or text_alone(overlaps, pairs)


def _each_once(overlaps: Overlaps) -> Iterator[str]:
    done: set[Pair] = set()
    for pairs in overlaps.units:
        if done.isdisjoint(chain(*pairs)):
            above, below = _competing(overlaps, pairs, TRIED)
            found = above or below
            if found:
                text, other = next((one for one in found if one[1] not in done), found[0])
                done.add(other)
                yield text


def _competing(
    overlaps: Overlaps, pairs: tuple[Sequence[Pair], Sequence[Pair]], number: int
) -> tuple[list[tuple[str, Pair]], list[tuple[str, Pair]]]:
    """Return the texts with, and pairs of, the nearest competitors of higher and of lower cost."""
    above: list[tuple[float, bytes, Pair]] = []
    below: list[tuple[float, bytes, Pair]] = []
    own = [(overlaps.before[one], one, overlaps.rows_after.get(one[1], ())) for one in pairs[0]]
    own += [(overlaps.after[one], one, overlaps.rows_before.get(one[0], ())) for one in pairs[1]]
    for place, (cost, pair, row) in enumerate(own):
        at, is_before = bisect_left(row, (cost,)), place < len(pairs[0])
        for other, rest in row[max(at - number, 0) : at + number + 1]:
            if other != cost:
                ends = (*pair, rest) if is_before else (rest, *pair)
                rival = (ends[1], ends[2]) if is_before else (ends[0], ends[1])
                side = above if other > cost else below
                side.append((abs(other - cost), b"".join(ends), rival))
    return _nearest(above, number), _nearest(below, number)


def _nearest(found: list[tuple[float, bytes, Pair]], number: int) -> list[tuple[str, Pair]]:
    texts = []
    for _, data, other in sorted(found):
        texts += [(text, other) for text in as_text(data)]
        if len(texts) == number:
            break
    return texts


def text_alone(overlaps: Overlaps, pairs: tuple[Sequence[Pair], Sequence[Pair]]) -> list[str]:
    """Return the text of a merge, or of the first merge that uses it and whose bytes are a text."""
    found = next(chain(*pairs), None)
    data = b"" if found is None else b"".join(found)
    for _ in range(MOST_LEVELS):
        if not data or (text := as_text(data)):
            return text if data else []
        after, before = overlaps.rows_after.get(data), overlaps.rows_before.get(data, [])
        ends = [data + rest for _, rest in (after or ())[:1]] or [rest + data for _, rest in before]
        data = next(iter(ends), b"")
    return as_text(data) if data else []


def as_text(data: bytes) -> list[str]:
    """Return the text of bytes, none if they are not whole characters."""
    try:
        return [data.decode()]
    except UnicodeDecodeError:
        return []
