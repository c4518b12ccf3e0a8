"""Which units of the families of a target have finished, their results, and the failing texts.

Results do not depend on how far each worker was when one died: the first unit of a family that
kills its worker, and all later units of that family, run again in a guarded worker.

Of very many failing texts a sample is kept until the diagnosis: every 2nd, 4th or 8th text (and so
on) of a unit that fails a check. This level depends only on the number of texts of each family that
fail each check. Therefore the sample does not depend on the order in which the units finish, and a
family with few failing texts keeps them all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from tokharness.checks import crashes_or_hangs
from tokharness.engine.events import (
    DigestsTaken,
    Event,
    FamilyFinished,
    SkipRecorded,
    TargetStarted,
    UnitFinished,
)
from tokharness.engine.run.family_results import FamilyProgress
from tokharness.engine.run.stops import reason_to_stop
from tokharness.engine.worker.units import sample_evenly
from tokharness.model import Skip
from tokharness.targets.processes.crashers import LIMIT, LOST, is_spent
from tokharness.targets.snapshot import ChangedText, ids_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokharness.engine.requests import CrasherRows
    from tokharness.engine.run.stops import StopError

MAX_CHANGED = 300
"""Most texts with changed results in an event, the shortest texts."""

DIAGNOSED_AFTER_INTERRUPT = 1000
"""Most failing texts of a check that can be diagnosed in the seconds after an interrupt."""


class Progress:
    """Units of all families of one target; at most ``max_diagnosed`` failing texts per check.

    ``earlier`` are the events of an interrupted run.
    """

    def __init__(self, start: TargetStarted, earlier: Sequence[Event], max_diagnosed: int) -> None:
        self.spec, self._max_diagnosed = start.spec, max_diagnosed
        self.families = {name: FamilyProgress(name) for name in start.families}
        self.crashers: CrasherRows = ()
        self._kept_texts = KeptTexts(max_diagnosed)
        self._stopped_by: StopError | None = None
        for event in earlier:
            if isinstance(event, UnitFinished):
                self.add(event)

    def add(self, unit: UnitFinished) -> bool:
        """Add the result of a unit; return False if the unit has to run guarded instead."""
        if unit.guarded:
            self.crashers = unit.crashers  # of all units so far: kept once, not in each
            limits = [row for row in unit.crashers if row[0] in (LIMIT, LOST)]
            unit = replace(unit, crashers=limits)
        if not self.families[unit.family].add(self._kept_texts.thinned(unit)):
            return False
        self._kept_texts.limit(self.families.values())
        return True

    def stop(self, error: StopError) -> None:
        """Skip the families that are not finished; diagnose fewer texts after an interrupt."""
        self._stopped_by = error
        for family in self.families.values():
            family.why_not_run = reason_to_stop(error)
        if isinstance(error, KeyboardInterrupt):
            self._max_diagnosed = min(self._max_diagnosed, DIAGNOSED_AFTER_INTERRUPT)

    def _unfinished_families(self) -> Iterator[Event]:
        for family in self.families.values():
            if not family.is_finished() and self._stopped_by is not None:
                reason = reason_to_stop(self._stopped_by)
                yield SkipRecorded(Skip(self.spec, f"family {family.name}", reason))

    def summary(self) -> Iterator[Event]:
        """Yield an event for each finished family, and a skip for everything left out."""
        yield from self._unfinished_families()
        diagnosed = Counter(name for texts in self.failing.values() for name in texts.values())
        for family in self.families.values():
            if family.is_finished():
                units = list(family.finished.values())
                failing = sum(len(texts) for unit in units for texts in unit.failing.values())
                failing += sum(left for unit in units for left in unit.failing_left_out.values())
                cases = sum(unit.cases for unit in units)
                counts = {
                    name: sum(getattr(unit, name) for unit in units)
                    for name in ("unchanged", "compared", "same_ids")
                }
                counts["diagnosed"] = diagnosed[family.name]
                yield FamilyFinished(self.spec, family.name, cases, failing, **counts)
            yield from map(SkipRecorded, family.skips(self.spec))
        for code, left_out in sorted(self._sampled[1].items()):
            what = f"diagnosis of {left_out:,} texts that fail {code}"
            reason = "too many texts fail; an even sample of them was diagnosed"
            yield SkipRecorded(Skip(self.spec, what, reason))

    def digests(self) -> DigestsTaken:
        """Return the digests of all units, and the shortest texts whose results have changed."""
        units = list(self._in_order())
        changed = [
            ChangedText(unit.family, one["text"], None, ids_of(one["ids"]))
            for unit in units
            for one in unit.changed
        ]
        changed.sort(key=lambda one: (len(one.text), one.text))
        digests = {(unit.family, unit.number): unit.digest for unit in units if unit.digest}
        return DigestsTaken(self.spec, digests, tuple(changed[:MAX_CHANGED]))

    @cached_property
    def _sampled(self) -> tuple[dict[str, dict[str, str]], Counter[str]]:
        self._kept_texts.limit(self.families.values(), final=True)
        return failing_texts(self._in_order(), self._max_diagnosed)

    @property
    def failing(self) -> dict[str, dict[str, str]]:
        """Failing texts to diagnose, with the family of each, by the code of the check."""
        return self._sampled[0]

    @property
    def has_crashers(self) -> bool:
        """Whether a text is known that crashes or hangs the target or exhausts its memory."""
        return bool(self.crashers) or bool(self.failing.get(crashes_or_hangs.CODE))

    @property
    def cases(self) -> int:
        """Number of cases of the finished units."""
        return sum(unit.cases for unit in self._in_order())

    @property
    def seconds(self) -> float:
        """Seconds in calls of target and reference for these cases, summed over workers."""
        return sum(unit.seconds for unit in self._in_order())

    @property
    def unexplained_deaths(self) -> list[tuple[str, str]]:
        """Family and death of units that killed their worker, though no single text does.

        A unit that exceeded the time limit may have been slow for all its texts. A
        KeyboardInterrupt of the target kills a worker, but is an ordinary exception in a guarded
        worker. A worker that the reference may have killed says nothing about the target. If
        deaths took so much time that texts were left out, and no text fails, all deaths count.
        """
        dead = [(unit.family, unit.worker_death) for unit in self._in_order() if unit.worker_death]
        if is_spent(self.crashers) and not self.failing.get(crashes_or_hangs.CODE):
            return dead
        return [
            (unit.family, unit.worker_death)
            for unit in self._in_order()
            if unit.worker_death and not unit.worker_death.startswith(("time limit", "SIGINT"))
            if not unit.failing.get(crashes_or_hangs.CODE)
            if not unit.left_out and not unit.not_compared
        ]

    def _in_order(self) -> Iterator[UnitFinished]:
        for family in self.families.values():
            for number in sorted(family.finished):
                yield family.finished[number]


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
