"""The failing texts that a run keeps until the diagnosis; a sample of very many texts."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.engine.run.sample_failing import CHECKS_AT_LIMIT, quotas

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.engine.events import UnitFinished
    from tokharness.engine.run.family_results import FamilyProgress


class KeptTexts:
    """Thins the failing texts of finished units; ``limit`` is the number for a check.

    The units count the texts that are left out. A run keeps at most four times as many texts as
    will be diagnosed.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept = 0
        self._levels: Counter[tuple[str, str]] = Counter()  # by code and family
        self._sizes: dict[tuple[str, int], Counter[str]] = {}  # by family and number of the unit

    def thinned(self, unit: UnitFinished) -> UnitFinished:
        """Return a unit with only the failing texts that are kept."""
        if not unit.failing:
            return unit
        self._sizes[unit.family, unit.number] = Counter(
            {code: len(texts) for code, texts in unit.failing.items()}
        )
        same: dict[str, str] = {}  # a text that fails several checks is kept once
        failing = {
            code: [same.setdefault(text, text) for text in texts]
            for code, texts in unit.failing.items()
        }
        unit = replace(unit, failing=failing)
        for code in failing:
            unit = _thin(unit, code, self._levels[code, unit.family])
        self._kept += sum(map(len, unit.failing.values()))
        return unit

    def limit(self, families: Iterable[FamilyProgress], *, final: bool = False) -> None:
        """Thin the finished units of all families if they have too many failing texts.

        At the end, the units are thinned as if there had been too many texts before.
        """
        if self._kept <= 2 * CHECKS_AT_LIMIT * self._limit and not final:
            return
        by_name = {family.name: family for family in families}
        for code, of_family in quotas(self._counts(by_name.values()), self._limit).items():
            for name, quota in of_family.items():
                units = by_name[name].finished
                while _count(units.values(), code) > max(2 * quota, len(units)):
                    self._levels[code, name] += 1
                    for number, unit in units.items():
                        units[number] = _thin(unit, code, 1)
        self._kept = sum(
            len(texts)
            for family in by_name.values()
            for unit in family.finished.values()
            for texts in unit.failing.values()
        )

    def _counts(self, families: Iterable[FamilyProgress]) -> dict[str, dict[str, int]]:
        """Count the failing texts of finished units, also those that were not kept."""
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for family in families:
            for number in family.finished:
                for code, size in self._sizes.get((family.name, number), {}).items():
                    counts[code][family.name] += size
        return {code: dict(of_family) for code, of_family in counts.items()}


def _count(units: Iterable[UnitFinished], code: str) -> int:
    return sum(len(unit.failing.get(code, ())) for unit in units)


def _thin(unit: UnitFinished, code: str, levels: int) -> UnitFinished:
    """Keep every 2nd text of a unit that fails a check, for two levels every 4th, and so on."""
    texts = unit.failing.get(code, ())
    kept = texts[:: 2**levels]
    if len(kept) == len(texts):
        return unit
    left_out = Counter(unit.failing_left_out)
    left_out[code] += len(texts) - len(kept)
    failing = {**unit.failing, code: kept}
    return replace(unit, failing=failing, failing_left_out=dict(left_out))
