"""The failing texts of all units of a target, or as many as can be diagnosed one by one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokharness.engine.worker.units import sample_evenly

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.engine.events import UnitFinished

__all__ = ["failing_texts"]

ByText = dict[str, str]
"""The family of each text."""


def failing_texts(units: Iterable[UnitFinished], most: int) -> tuple[dict[str, ByText], Counter[str]]:
    """At most ``most`` failing texts by the code of the check; and how many more there are."""
    found: dict[str, ByText] = {}
    left: Counter[str] = Counter()
    for unit in units:
        left.update(unit.failing_left_out)
        for code, texts in unit.failing.items():
            known = found.setdefault(code, {})
            for text in texts:
                known.setdefault(text, unit.family)
    chosen = {code: _some(texts, most) for code, texts in found.items()}
    left.update({code: len(texts) - len(chosen[code]) for code, texts in found.items()})
    return chosen, +left


def _some(texts: ByText, most: int) -> ByText:
    """Leave texts of the families out that have very many, and keep some of them, evenly."""
    if len(texts) <= most:
        return texts
    of_family: dict[str, list[str]] = {}
    for text, family in texts.items():
        of_family.setdefault(family, []).append(text)
    room, kept = most, {}
    smallest_first = sorted(of_family.items(), key=lambda item: len(item[1]))
    for place, (family, some) in enumerate(smallest_first):
        kept[family] = sample_evenly(some, room // (len(of_family) - place))
        room -= len(kept[family])
    return {text: family for family in of_family for text in kept[family]}
