r"""Texts that depend on the rank of each merge, or the score of each piece, and ordinary words.

A vocabulary may keep all its tokens and have its merges in another order: a line was moved, two
lines have changed places, a line stands twice, or a merge is gone whose token another merge makes,
too. Then each token's own text is still encoded as this token, but ``=requirements`` gets different
ids. Texts in which two merges overlap show the order: in ``x y z``, the merge that is first in the
list takes y. The pieces of a Unigram model overlap in the same way, and their scores decide.

The merges and the scores come from the target or, if it does not show them, from its reference. If
``--against`` names a reference with other merges or scores, such as the file before a change, each
merge that was moved, dropped or added is tried with every merge that it overlaps and has passed,
and each piece with another score with every piece that it overlaps. If neither side shows merges or
scores, the family is empty.

A quick run tries every merge, or piece, that overlaps another, with its nearest successor in the
list; of more than 65,536 merges it tries an even sample, unless both sides show their merges or
scores. It also tries the words of CLDR's names in all languages, and of the sentences and the code
of this package, whole and with the space before them. A standard run tries every merge with its
nearest neighbour on either side, and more names; a thorough run tries three neighbours. A case
joins sixteen such strings.

Source: the vocabulary of the target; Sennrich et al. 2016; Kudo 2018; CLDR.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from tokharness.model import Case, TargetFacts
from tokharness.unicode.languages import parallel_names, parallel_texts
from tokharness_cases._family import NO_FACTS, PLAIN_PIECES, curated_cases
from tokharness_cases._overlaps import (
    Overlaps,
    Pair,
    as_text,
    overlaps_of_merges,
    overlaps_of_scores,
    text_alone,
    texts_of,
)
from tokharness_cases._packed import PackedTexts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from hypothesis.strategies import SearchStrategy

__all__ = ["EXHAUSTIVE", "cases", "strategy", "texts"]

EXHAUSTIVE = True

NEIGHBOURS = {"quick": 0, "standard": 1, "thorough": 3}
"""Neighbours of higher and of lower rank, each; with none, each merge is in one text."""

TEXTS_PER_CASE = 16
WORD = re.compile(r"\s?\S+")


@dataclass(frozen=True, slots=True)
class _Part:
    """Texts to pack, each in a line or behind one another."""

    why: str
    pieces: Sequence[str]
    in_lines: bool = True

    def __len__(self) -> int:
        return (len(self.pieces) + TEXTS_PER_CASE - 1) // TEXTS_PER_CASE

    def texts(self, start: int, stop: int) -> list[str]:
        """Return the texts from number ``start`` to before ``stop``."""
        end = min(stop, len(self)) * TEXTS_PER_CASE
        places = range(start * TEXTS_PER_CASE, end, TEXTS_PER_CASE)
        packs = (self.pieces[place : place + TEXTS_PER_CASE] for place in places)
        if self.in_lines:
            return ["\n" + " \n".join(pack) + " " for pack in packs]
        return list(map("".join, packs))


def _parts(facts: TargetFacts) -> Sequence[_Part]:
    return _parts_of_tables(facts.merges, facts.scores, facts.profile)


@lru_cache(maxsize=1)  # its texts are made for units, and its cases for audits
def _parts_of_tables(
    merges: Callable[[], Sequence[Sequence[Pair]]],
    scores: Callable[[], Sequence[Sequence[tuple[bytes, float]]]],
    profile: str,
) -> Sequence[_Part]:
    tables = [*map(overlaps_of_merges, merges()), *map(overlaps_of_scores, scores())]
    if not tables:
        return ()
    return (
        _Part("what a change of the order decides", _changed(tables)),
        _Part("words", _words(profile), in_lines=False),
        _Part("merges or pieces that overlap", _overlapping(tables, profile)),
    )


def _changed(tables: Sequence[Overlaps]) -> list[str]:
    first, others = tables[0], tables[1:]
    return list(dict.fromkeys(text for other in others for text in changed_texts(other, first)))


def _overlapping(tables: Sequence[Overlaps], profile: str) -> list[str]:
    found = (text for table in tables for text in texts_of(table, NEIGHBOURS[profile]))
    return list(dict.fromkeys(found))


@cache
def _words(profile: str) -> list[str]:
    bodies = [text for text, _ in parallel_texts().values()]
    if profile != "quick":
        bodies += [text for text, _ in parallel_names().values()]
    for name in ("sentences", "code"):
        bodies += [case.text for case in curated_cases(name)]
    return list(dict.fromkeys(word for text in bodies for word in WORD.findall(f" {text}")))


def texts(facts: TargetFacts = NO_FACTS) -> Sequence[str]:
    """Return the texts of the cases, in their order."""
    parts = _parts(facts)
    return PackedTexts(parts) if parts else ()


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Texts of a change, words, and texts of overlaps, in a fixed order."""
    for part in _parts(facts):
        for text in part.texts(0, len(part)):
            yield Case(text, part.why)


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Pieces of the first merges in any sequence; plain pieces if none are known."""
    from hypothesis import strategies as st

    known = [row[0] for table in (*facts.merges(), *facts.scores()) for row in table[:20_000]]
    pieces = [text for data in known if (text := data.decode(errors="ignore"))]
    return st.lists(st.sampled_from(pieces or PLAIN_PIECES), min_size=1, max_size=8).map("".join)


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
            for other, data in _overlapping_pairs(pair, (old, new))
            if other != pair and (not passed or any(_is_passed(pair, other, t) for t in passed))
        ]
        # The second occurrence may come too late for a merge that uses the first.
        twice = (pair[0] + pair[1]) * 2
        others += [rest + twice for _, rest in new.rows_before.get(pair[0] + pair[1], ())]
        others += [twice + rest for _, rest in new.rows_after.get(pair[0] + pair[1], ())]
        for data in others[:: len(others) // (most + 1) + 1]:
            yield from as_text(data)


def _overlapping_pairs(pair: Pair, tables: Sequence[Overlaps]) -> Iterator[tuple[Pair, bytes]]:
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
