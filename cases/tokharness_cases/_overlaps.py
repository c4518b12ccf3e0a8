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
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

__all__ = ["Overlaps", "changed_texts", "overlaps_of_merges", "overlaps_of_scores", "texts_of"]

Pair: TypeAlias = tuple[bytes, bytes]
Tables: TypeAlias = "Sequence[Mapping[Pair, float]]"
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
        texts += [(text, other) for text in _as_text(data)]
        if len(texts) == number:
            break
    return texts


def _alone(overlaps: Overlaps, pairs: tuple[Sequence[Pair], Sequence[Pair]]) -> list[str]:
    """Return the text of a merge, or of the first one made of it whose bytes are a text."""
    found = next(chain(*pairs), None)
    data = b"" if found is None else b"".join(found)
    for _ in range(MOST_LEVELS):
        if not data or (text := _as_text(data)):
            return text if data else []
        after, before = overlaps.rows_after.get(data), overlaps.rows_before.get(data, [])
        ends = [data + rest for _, rest in (after or ())[:1]] or [rest + data for _, rest in before]
        data = next(iter(ends), b"")
    return _as_text(data) if data else []


def changed_texts(old: Overlaps, new: Overlaps) -> Iterator[str]:
    """Yield the text of each merge or piece that differs, and with what it overlaps.

    Of merges these are the ones that it has passed: it is before them in one table only. Of very
    many texts there is an even sample.
    """
    passed: list[Tables] = []
    if old.before is old.after:
        passed = [(old.before, new.before), _times(old.before, new.before)]
        changed = [pair for tables in passed for pair in _moved(*tables)]
    else:
        changed = [*_differing(old.before, new.before), *_differing(old.after, new.after)]
    pairs = list(dict.fromkeys(changed))
    pairs = pairs[:: len(pairs) // MOST_CHANGED + 1]
    most = MOST_CHANGED // max(len(pairs), 1)
    for pair in pairs:
        own = _alone(old if pair in old.before or pair in old.after else new, ((pair,), ()))
        yield from (*own, *(text * 2 for text in own))
        others = [
            data
            for other, data in _overlapping(pair, (old, new))
            if other != pair and (not passed or any(_is_passed(pair, other, t) for t in passed))
        ]
        # A second one may come too late for what is made of the first.
        twice = (pair[0] + pair[1]) * 2
        others += [rest + twice for _, rest in new.rows_before.get(pair[0] + pair[1], ())]
        others += [twice + rest for _, rest in new.rows_after.get(pair[0] + pair[1], ())]
        for data in others[:: len(others) // (most + 1) + 1]:
            yield from _as_text(data)


def _overlapping(pair: Pair, tables: Sequence[Overlaps]) -> Iterator[tuple[Pair, bytes]]:
    """Yield what overlaps a pair by any table, with the bytes of both."""
    first, second = pair
    if any(pair in table.before for table in tables):
        rows = (table.rows_after.get(second, ()) for table in tables)
        for rest in dict.fromkeys(rest for _, rest in chain.from_iterable(rows)):
            yield (second, rest), first + second + rest
    if any(pair in table.after for table in tables):
        rows = (table.rows_before.get(first, ()) for table in tables)
        for rest in dict.fromkeys(rest for _, rest in chain.from_iterable(rows)):
            yield (rest, first), rest + first + second


def _as_text(data: bytes) -> list[str]:
    try:
        return [data.decode()]
    except UnicodeDecodeError:  # parts of characters
        return []


def _is_passed(pair: Pair, other: Pair, tables: Tables) -> bool:
    """Whether two merges stand in another order in one table than in the other."""
    costs = [(table.get(pair, inf), table.get(other, inf)) for table in tables]
    return len({(one < two, one == two) for one, two in costs}) > 1


def _differing(old: Mapping[Pair, float], new: Mapping[Pair, float]) -> list[Pair]:
    """Return the pairs that have another cost, or are in one table only."""
    return [pair for pair in {**old, **new} if old.get(pair) != new.get(pair)]


def _times(*tables: Mapping[Pair, float]) -> tuple[dict[Pair, float], ...]:
    """Return when each merge can take place: by its rank, but not before its parts are there.

    A merge of which a part is never made has no time.
    """
    made_by_any = {left + right for table in tables for left, right in table}
    return tuple(_times_of(ranks, made_by_any) for ranks in tables)


def _times_of(ranks: Mapping[Pair, float], made_by_any: AbstractSet[bytes]) -> dict[Pair, float]:
    made: set[bytes] = set()
    waiting: dict[bytes, list[Pair]] = defaultdict(list)
    times: dict[Pair, float] = {}
    for pair, rank in ranks.items():
        ready = [pair]
        while ready:
            one = ready.pop()
            missing = [part for part in one if part in made_by_any and part not in made]
            if missing:
                waiting[missing[0]].append(one)
                continue
            times[one] = rank if one is pair else rank + ranks[one] / len(ranks)
            token = one[0] + one[1]
            made.add(token)
            ready += waiting.pop(token, ())
    return times


def _moved(old: Mapping[Pair, float], new: Mapping[Pair, float]) -> list[Pair]:
    """Return the pairs of one table only, and the fewest without which the others are in order."""
    common = sorted((pair for pair in old if pair in new), key=old.__getitem__)
    ends: list[float] = []
    links: list[int] = []
    tails: list[int] = []
    for number, pair in enumerate(common):
        at = bisect_left(ends, new[pair])
        links.append(tails[at - 1] if at else -1)
        ends[at : at + 1] = [new[pair]]
        tails[at : at + 1] = [number]
    kept, number = set(), tails[-1] if tails else -1
    while number >= 0:
        kept.add(common[number])
        number = links[number]
    return [pair for pair in {**old, **new} if pair not in kept]
