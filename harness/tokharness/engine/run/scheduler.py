"""Try all units of a target's families with several workers.

The first pass has the target in the workers' own processes. A unit that ends one is set aside with
all later units of its family, whatever came of those, and the second pass tries them one after
another with the target in a process of its own, where each text is asked about apart. So what is
told does not depend on which worker was how far when one died.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.engine.events import Event, SkipRecorded, UnitFinished
from tokharness.errors import TargetDeath
from tokharness.model import Skip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.engine.run.pool import AnyWorker
    from tokharness.engine.run.progress import FamilyProgress, Progress
    from tokharness.engine.run.workers import Workers

    Unit: TypeAlias = tuple[FamilyProgress, int]

__all__ = ["Scheduler"]


class Scheduler:
    """The cases of one target, and who is at which."""

    def __init__(self, progress: Progress, crew: Workers) -> None:
        self.progress, self._crew = progress, crew
        self._busy: dict[AnyWorker, Unit] = {}

    def events(self) -> Iterator[Event]:
        """Try what has not been tried; an event for each unit."""
        yield from self._first_pass()
        yield from self._second_pass()

    def interrupted(self) -> None:
        """Stop those who are at a unit."""
        self._crew.interrupted(self._busy)
        self._busy.clear()

    def _first_pass(self) -> Iterator[Event]:
        busy = self._busy
        idle = self._crew.unguarded
        while True:
            while idle and (unit := self._next(busy)):
                worker = idle.pop()
                busy[worker] = unit
                worker.send(self._question(unit))
            if not busy:
                return
            worker = self._crew.pool.next_ready(list(busy))
            family, number = busy[worker]
            try:
                event = self._received(worker, family, number)
            except TargetDeath as death:
                family.how_worker_ended[number] = str(death)
                family.set_aside(number)
                del busy[worker]
                idle += self._crew.replaced(worker)
                continue
            del busy[worker]
            idle.append(worker)
            if self.progress.keep(event):
                yield event

    def _next(self, busy: dict[AnyWorker, Unit]) -> Unit | None:
        """Choose a unit: of a family nobody is at, so that its texts are made once, or of any."""
        taken = {family.name for family, _ in busy.values()}
        unfinished = [one for one in self.progress.families.values() if not one.is_finished()]
        for family in sorted(unfinished, key=lambda f: (f.name in taken, not f.given)):
            number = family.next_unit()
            if number is not None:
                return family, number
        return None

    def _question(self, unit: Unit) -> dict[str, Any]:
        family, number = unit
        deadly = self.progress.deadly
        return {"op": "unit", "family": family.name, "number": number, "deadly": deadly}

    def _received(self, worker: AnyWorker, family: FamilyProgress, number: int) -> UnitFinished:
        answer = worker.receive()
        return UnitFinished(
            spec=self.progress.spec,
            family=family.name,
            number=number,
            guarded=worker.guarded,
            how_worker_ended=family.how_worker_ended.get(number, "") if worker.guarded else "",
            **answer,
        )

    def _second_pass(self) -> Iterator[Event]:
        for family in self.progress.families.values():
            if family.deadly is None and not family.is_finished():
                family.deadly = family.given  # there was no worker left
            number = family.deadly
            while number is not None and (family.units is None or number < family.units):
                if number not in family.done:
                    try:
                        worker = self._crew.guarded_worker()
                        self._busy[worker] = (family, number)
                        worker.send(self._question((family, number)))
                        event = self._received(worker, family, number)
                        del self._busy[worker]
                    except TargetDeath as death:
                        yield self._lost(family, number, death)
                        if family.units is None:
                            break
                    else:
                        self.progress.keep(event)
                        yield event
                number += 1

    def _lost(self, family: FamilyProgress, number: int, death: TargetDeath) -> Event:
        """Tell of a unit that ends the worker although the target is not in its process."""
        for worker in [one for one in self._crew.workers if one.guarded]:
            self._crew.drop(worker)
        self._busy.clear()
        reason = f"the worker ended with {death}, though the target has a process of its own"
        part = "" if family.units is None else f"part {number + 1} of "
        what = f"{part}family {family.name}"
        return SkipRecorded(Skip(self.progress.spec, what, reason))
