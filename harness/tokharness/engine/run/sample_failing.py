"""A sample of the failing texts of all units, small enough to be kept and diagnosed.

The sample is even: every 2nd, 4th or 8th text (and so on) of a unit that fails a check is kept.
This level depends only on the number of texts of each family that fail each check. Therefore the
sample does not depend on the order in which the units finish, and a family with few failing texts
keeps them all.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from tokharness.engine.worker.units import sample_evenly

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokharness.engine.events import UnitFinished

FamilyByText: TypeAlias = dict[str, str]
Counts: TypeAlias = "Mapping[str, Mapping[str, int]]"

CHECKS_AT_LIMIT = 2
"""Up to this many checks may each keep the full number of texts; more checks share it."""


def quotas(counts: Counts, limit: int) -> dict[str, dict[str, float]]:
    """Return how many failing texts to keep, by check and family.

    ``counts`` are the failing texts by check and family; ``limit`` is the number for a check.
    """
    totals = {code: min(sum(families.values()), limit) for code, families in counts.items()}
    level = _level(totals.values(), CHECKS_AT_LIMIT * limit)
    result = {}
    for code, families in counts.items():
        of_family = _level(families.values(), min(limit, level))
        result[code] = {family: min(count, of_family) for family, count in families.items()}
    return result


def _level(sizes: Iterable[int], room: float) -> float:
    """Return the size to which all larger sizes are cut, so that the sum of sizes is ``room``."""
    ascending = sorted(sizes)
    for place, size in enumerate(ascending):
        share = room / (len(ascending) - place)
        if size > share:
            return share
        room -= size
    return float("inf")


def failing_texts(
    units: Iterable[UnitFinished], limit: int
) -> tuple[dict[str, FamilyByText], Counter[str]]:
    """Return up to ``limit`` failing texts by check code, and the number of all others.

    Each text is mapped to its family.
    """
    failing: dict[str, FamilyByText] = {}
    left_out: Counter[str] = Counter()
    for unit in units:
        left_out.update(unit.failing_left_out)
        for code, texts in unit.failing.items():
            families = failing.setdefault(code, {})
            for text in texts:
                families.setdefault(text, unit.family)
    level = _level([min(len(texts), limit) for texts in failing.values()], CHECKS_AT_LIMIT * limit)
    sampled = {code: _sample(texts, int(min(limit, level))) for code, texts in failing.items()}
    left_out.update({code: len(texts) - len(sampled[code]) for code, texts in failing.items()})
    return sampled, +left_out


def _sample(texts: FamilyByText, limit: int) -> FamilyByText:
    """Keep all texts of families with few texts, and an even sample of families with very many."""
    if len(texts) <= limit:
        return texts
    by_family: dict[str, list[str]] = {}
    for text, family in texts.items():
        by_family.setdefault(family, []).append(text)
    room, sampled = limit, {}
    smallest_first = sorted(by_family.items(), key=lambda item: len(item[1]))
    for place, (family, members) in enumerate(smallest_first):
        sampled[family] = sample_evenly(members, room // (len(by_family) - place))
        room -= len(sampled[family])
    return {text: family for family in by_family for text in sampled[family]}
