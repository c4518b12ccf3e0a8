"""Run all units of the families of a target with several workers.

In the first pass the target is in the processes of the workers. If a unit kills its worker, that
unit and all later ones of its family run in the second pass, one after another in a guarded worker,
where texts can be run alone. So the results do not depend on how far each worker was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tokharness.engine.events import Event, SkipRecorded, UnitFinished
from tokharness.engine.requests import UnitRequest
from tokharness.errors import TargetDeath
from tokharness.model import Skip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.engine.run.family_results import FamilyProgress
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.engine.run.unit_results import Progress
    from tokharness.engine.run.worker_process import AnyWorker

    Unit: TypeAlias = tuple[FamilyProgress, int]

__all__ = ["Scheduler"]


class Scheduler:
    """Schedules the units of one target on workers."""

    def __init__(self, progress: Progress, workers: Workers) -> None:
        self.progress, self._workers = progress, workers
        self._busy: dict[AnyWorker, Unit] = {}

    def events(self) -> Iterator[Event]:
        """Run the units that have not finished; yield an event for each."""
        yield from self._first_pass()
        yield from self._second_pass()

    def interrupt(self) -> None:
        """Kill the busy workers."""
        self._workers.drop_busy(self._busy)
        self._busy.clear()

    def _first_pass(self) -> Iterator[Event]:
        busy = self._busy
        idle = self._workers.unguarded
        while True:
            while idle and (unit := self._next_unit()):
                worker = idle.pop()
                busy[worker] = unit
                worker.send(self._request(unit))
            if not busy:
                return
            worker = self._workers.pool.next_ready(list(busy))
            family, number = busy[worker]
            try:
                event = self._receive(worker, family, number)
            except TargetDeath as death:
                family.deaths[number] = str(death)
                family.guard_from(number)
                del busy[worker]
                idle += self._workers.replace(worker)
                continue
            del busy[worker]
            idle.append(worker)
            if self.progress.add(event):
                yield event

    def _next_unit(self) -> Unit | None:
        """Choose a unit, if possible of a family that no worker has, to make its texts once."""
        busy = {family.name for family, _ in self._busy.values()}
        unfinished = [
            family for family in self.progress.families.values() if not family.is_finished()
        ]
        for family in sorted(unfinished, key=lambda f: (f.name in busy, not f.scheduled)):
            number = family.schedule_next()
            if number is not None:
                return family, number
        return None

    def _request(self, unit: Unit) -> UnitRequest:
        family, number = unit
        return UnitRequest(family.name, number, self.progress.crashers)

    def _receive(self, worker: AnyWorker, family: FamilyProgress, number: int) -> UnitFinished:
        return UnitFinished(
            spec=self.progress.spec,
            family=family.name,
            number=number,
            guarded=worker.guarded,
            worker_death=family.deaths.get(number, "") if worker.guarded else "",
            **worker.receive(),
        )

    def _second_pass(self) -> Iterator[Event]:
        for family in self.progress.families.values():
            if family.first_guarded is None and not family.is_finished():
                family.first_guarded = family.scheduled  # no worker was left in the first pass
            number = family.first_guarded
            while number is not None and (family.units is None or number < family.units):
                if number not in family.finished:
                    try:
                        event = self._run_guarded(family, number)
                    except TargetDeath as death:
                        yield self._skip(family, number, death)
                        if family.units is None:
                            break
                    else:
                        self.progress.add(event)
                        yield event
                number += 1

    def _run_guarded(self, family: FamilyProgress, number: int) -> UnitFinished:
        worker = self._workers.guarded_worker()
        self._busy[worker] = (family, number)
        worker.send(self._request((family, number)))
        event = self._receive(worker, family, number)
        del self._busy[worker]
        return event

    def _skip(self, family: FamilyProgress, number: int, death: TargetDeath) -> Event:
        """Skip a unit that kills even a guarded worker."""
        for worker in [worker for worker in self._workers.workers if worker.guarded]:
            self._workers.drop(worker)
        self._busy.clear()
        reason = f"the worker ended with {death}, though the target has a process of its own"
        part = "" if family.units is None else f"part {number + 1} of "
        return SkipRecorded(Skip(self.progress.spec, f"{part}family {family.name}", reason))
