"""Which units of the families of a target have finished, and their results.

Results do not depend on how far each worker was when one died: the first unit of a family that
kills its worker, and all later units of that family, run again in a guarded worker.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

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
from tokharness.engine.run.kept_texts import KeptTexts
from tokharness.engine.run.sample_failing import failing_texts
from tokharness.engine.run.stops import reason_to_stop
from tokharness.model import Skip
from tokharness.targets.processes.crashers import LIMIT, LOST, is_spent
from tokharness.targets.snapshot import ChangedText, ids_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
