"""Texts that show how two lists of merges, or two tables of scores, differ.

A moved merge changes a text only where it overlaps a merge that it has passed. Merges that use its
token move with it: a merge with a part that is made late comes late itself.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from tokharness_cases._overlaps import Overlaps, Pair, as_text, text_alone

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

Tables: TypeAlias = "Sequence[Mapping[Pair, float]]"

MOST_CHANGED = 1 << 15
"""Texts for the places in which two tables differ."""


def changed_texts(old: Overlaps, new: Overlaps) -> Iterator[str]:
    """Yield the text of each merge or piece that differs, alone and with those that it overlaps.

    A merge is only tried with the merges that it has passed: it is before them in only one table.
    If there are very many texts, an even sample is used.
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
        own = text_alone(old if pair in old.before or pair in old.after else new, ((pair,), ()))
        yield from (*own, *(text * 2 for text in own))
        others = [
            data
            for other, data in _overlapping(pair, (old, new))
            if other != pair and (not passed or any(_is_passed(pair, other, t) for t in passed))
        ]
        # The second occurrence may come too late for a merge that uses the first.
        twice = (pair[0] + pair[1]) * 2
        others += [rest + twice for _, rest in new.rows_before.get(pair[0] + pair[1], ())]
        others += [twice + rest for _, rest in new.rows_after.get(pair[0] + pair[1], ())]
        for data in others[:: len(others) // (most + 1) + 1]:
            yield from as_text(data)


def _overlapping(pair: Pair, tables: Sequence[Overlaps]) -> Iterator[tuple[Pair, bytes]]:
    """Yield the pairs that overlap a pair in any table, with the bytes of both pairs."""
    first, second = pair
    if any(pair in table.before for table in tables):
        rows = (table.rows_after.get(second, ()) for table in tables)
        for rest in dict.fromkeys(rest for _, rest in chain.from_iterable(rows)):
            yield (second, rest), first + second + rest
    if any(pair in table.after for table in tables):
        rows = (table.rows_before.get(first, ()) for table in tables)
        for rest in dict.fromkeys(rest for _, rest in chain.from_iterable(rows)):
            yield (rest, first), rest + first + second


def _is_passed(pair: Pair, other: Pair, tables: Tables) -> bool:
    """Whether two tables have two merges in different orders."""
    costs = [(table.get(pair, inf), table.get(other, inf)) for table in tables]
    return len({(one < two, one == two) for one, two in costs}) > 1


def _differing(old: Mapping[Pair, float], new: Mapping[Pair, float]) -> list[Pair]:
    """Return the pairs whose cost differs, or that only one table has."""
    return [pair for pair in {**old, **new} if old.get(pair) != new.get(pair)]


def _times(*tables: Mapping[Pair, float]) -> tuple[dict[Pair, float], ...]:
    """Return when each merge can take place: by its rank, but not before its parts are there.

    A merge with a part that is never made has no time.
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
    """Return pairs of only one table, and the fewest pairs without which the rest is in order."""
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
