"""The failing texts of all units of a target, or a sample that can be diagnosed in time."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from tokharness.engine.worker.units import sample_evenly

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.engine.events import UnitFinished

__all__ = ["failing_texts"]

FamilyByText: TypeAlias = dict[str, str]


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
    sampled = {code: _sample(texts, limit) for code, texts in failing.items()}
    left_out.update({code: len(texts) - len(sampled[code]) for code, texts in failing.items()})
    return sampled, +left_out


def _sample(texts: FamilyByText, limit: int) -> FamilyByText:
    """Keep all texts of families with few, and an even sample of families with very many."""
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
