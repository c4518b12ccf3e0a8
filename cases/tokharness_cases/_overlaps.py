"""Texts in which two merges, or two pieces with scores, compete for the same part.

In ``x y z`` the merge of x and y overlaps that of y and z, and the one with the lower rank takes y.
Pieces of a Unigram model overlap alike: the text is ``xy`` and ``z`` or ``x`` and ``yz``, whichever
has the higher sum of scores. So both models have *costs*: the rank of a merge, or by how much the
rest of a piece exceeds the piece itself. The lower cost takes the part that both need, and a text
is the more sensitive to a change the closer the two costs are.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["Overlaps", "changed_texts", "overlaps_of_merges", "overlaps_of_scores", "texts_of"]

Pair: TypeAlias = tuple[bytes, bytes]
Rows: TypeAlias = "dict[bytes, list[tuple[float, bytes]]]"

LONGEST_PART = 2
"""Characters of the part that two pieces of a Unigram model share."""

MOST_LEVELS = 3
"""Merges after a merge of parts of characters until there are whole ones."""

TRIED = 2
"""Neighbours among which one is looked for that no text has yet."""

MOST_CHANGED = 1 << 15
"""Texts for the places in which two tables differ."""


@dataclass(frozen=True)
class Overlaps:
    """What takes a part of a text.

    Attributes:
        before: The cost of what takes a part with the text before it, by this text and the part.
        after: The cost of what takes a part with the text after it, by the part and this text.
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
    """Return the overlaps of merges, first ones first."""
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

    It has so many neighbours of a higher and of a lower cost each, and a text of its own if no
    other overlaps it. With no neighbours each is in one text at least, which may be that of a
    neighbour, and one that no other overlaps is left out: where it stands decides nothing.
    """
    if not neighbours:
        yield from _each_once(overlaps)
        return
    for pairs in overlaps.units:
        above, below = _competing(overlaps, pairs, neighbours)
        found = [text for text, _ in (*above, *below)]
        yield from found or _alone(overlaps, pairs)


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
    """Return the texts with the nearest competitors of a higher and of a lower cost, and these."""
    above: list[tuple[float, bytes, Pair]] = []
    below: list[tuple[float, bytes, Pair]] = []
    for pair in pairs[0]:
        first, part = pair
        cost, row = overlaps.before[pair], overlaps.rows_after.get(part, ())
        at = bisect_left(row, (cost,))
        for other, rest in row[at : at + number + 1]:
            if other > cost:
                above.append((other - cost, first + part + rest, (part, rest)))
        for other, rest in row[max(at - number, 0) : at]:
            below.append((cost - other, first + part + rest, (part, rest)))
    for pair in pairs[1]:
        part, last = pair
        cost, row = overlaps.after[pair], overlaps.rows_before.get(part, ())
        at = bisect_left(row, (cost,))
        for other, rest in row[at : at + number + 1]:
            if other > cost:
                above.append((other - cost, rest + part + last, (rest, part)))
        for other, rest in row[max(at - number, 0) : at]:
            below.append((cost - other, rest + part + last, (rest, part)))
    return _nearest(above, number), _nearest(below, number)


def _nearest(found: list[tuple[float, bytes, Pair]], number: int) -> list[tuple[str, Pair]]:
    texts = []
    for _, data, other in sorted(found):
        try:
            texts.append((data.decode(), other))
        except UnicodeDecodeError:  # parts of characters
            continue
        if len(texts) == number:
            break
    return texts


def _alone(overlaps: Overlaps, pairs: tuple[Sequence[Pair], Sequence[Pair]]) -> list[str]:
    """Return the text of a merge, or of the first one made of it whose bytes are a text."""
    found = next(chain(*pairs), None)
    data = b"" if found is None else b"".join(found)
    for _ in range(MOST_LEVELS):
        try:
            return [data.decode()] if data else []
        except UnicodeDecodeError:
            after, before = overlaps.rows_after.get(data), overlaps.rows_before.get(data)
            if not after and not before:
                return []
            data = data + after[0][1] if after else before[0][1] + data  # type: ignore[index]
    return []


def changed_texts(old: Overlaps, new: Overlaps) -> Iterator[str]:
    """Yield the text of each merge or piece that differs, and with what it has passed.

    That is what it overlaps and wins against by one table only. Of very many there is an even
    sample.
    """
    changed = [
        (pair, is_before)
        for is_before, ours, theirs in (
            (True, old.before, new.before),
            (False, old.after, new.after),
        )
        for pair in _changed(ours, theirs)
    ]
    most = MOST_CHANGED // max(len(changed), 1)
    for pair, is_before in changed[:: len(changed) // MOST_CHANGED + 1]:
        table = old if pair in (old.before if is_before else old.after) else new
        own = _alone(table, ((pair,), ()))
        yield from (*own, *(text * 2 for text in own))
        found = list(_reversed(old, new, pair, is_before=is_before))
        yield from found[:: len(found) // (most + 1) + 1]


def _reversed(old: Overlaps, new: Overlaps, pair: Pair, *, is_before: bool) -> Iterator[str]:
    """Yield the texts of a pair with each competitor that it is before in one table only."""
    part = pair[is_before]
    if is_before:
        own, others = (old.before, new.before), (old.after, new.after)
        rows = old.rows_after.get(part, []), new.rows_after.get(part, [])
    else:
        own, others = (old.after, new.after), (old.before, new.before)
        rows = old.rows_before.get(part, []), new.rows_before.get(part, [])
    costs = [table.get(pair, inf) for table in own]
    for rest in dict.fromkeys(rest for _, rest in chain(*rows)):
        other = (part, rest) if is_before else (rest, part)
        theirs = [table.get(other, inf) for table in others]
        if other != pair and (costs[0] < theirs[0]) != (costs[1] < theirs[1]):
            data = pair[0] + pair[1] + rest if is_before else rest + pair[0] + pair[1]
            try:
                yield data.decode()
            except UnicodeDecodeError:
                continue


def _changed(old: Mapping[Pair, float], new: Mapping[Pair, float]) -> Iterable[Pair]:
    """Return the pairs that one table lacks, and the fewest without which the others are in order.

    Of scores, which have no order, these are the pairs with another cost.
    """
    lacking = [*(old.keys() - new.keys()), *(new.keys() - old.keys())]
    common = [pair for pair in old if pair in new]
    moved = [pair for pair in common if old[pair] != new[pair]]
    if moved and all(type(cost) is int for cost in (old[moved[0]], new[moved[0]])):
        moved = _moved(common, new)
    return sorted(lacking) + moved


def _moved(ordered: Sequence[Pair], places: Mapping[Pair, float]) -> list[Pair]:
    """Return the pairs that are not in a longest increasing subsequence of their new places."""
    ends: list[float] = []
    links: list[int] = []
    tails: list[int] = []
    for number, pair in enumerate(ordered):
        at = bisect_left(ends, places[pair])
        links.append(tails[at - 1] if at else -1)
        ends[at : at + 1] = [places[pair]]
        tails[at : at + 1] = [number]
    kept, number = set(), tails[-1] if tails else -1
    while number >= 0:
        kept.add(number)
        number = links[number]
    return [pair for number, pair in enumerate(ordered) if number not in kept]
