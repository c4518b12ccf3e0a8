"""Try all units of a target's families with several workers.

The first pass has the target in the workers' own processes. A unit that ends one is set aside with
all later units of its family, whatever came of those, and the second pass tries them one after
another with the target in a process of its own, where each text is asked about apart. So what is
told does not depend on which worker was how far when one died.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokharness.checks import crashes_or_hangs
from tokharness.engine.events import CasesTried, Event, Skipped, TargetStarted, UnitTried
from tokharness.engine.failing import failing_texts
from tokharness.engine.starting import loaded
from tokharness.errors import TargetDeath
from tokharness.model import Skip

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Sequence

    from tokharness.engine.pool import AnyWorker, Pool

__all__ = ["Trial"]


@dataclass
class _Family:
    """How far a family is: units that are done, given away, and the first that was deadly."""

    name: str
    units: int | None = None
    given: int = 0
    done: dict[int, UnitTried] = field(default_factory=dict)
    deadly: int | None = None
    ended: dict[int, str] = field(default_factory=dict)

    def next_unit(self) -> int | None:
        """Give away the next unit of the first pass that is not done; None if there is none."""
        while self.given in self.done:
            self.given += 1
        last = self.units if self.units is not None else 1
        if self.given >= last or self.deadly is not None:
            return None
        self.given += 1
        return self.given - 1

    def is_finished(self) -> bool:
        return self.units is not None and len(self.done) == self.units


class Trial:
    """The cases of one target, as far as they have been tried."""

    def __init__(
        self,
        start: TargetStarted,
        pool: Pool,
        workers: list[AnyWorker],
        before: Sequence[Event],
        diagnosed: int,
    ) -> None:
        self._target, self._pool = start.target, pool
        self._diagnosed = diagnosed
        self.workers = workers
        self._families = {name: _Family(name) for name in start.families}
        self._busy: dict[AnyWorker, tuple[_Family, int]] = {}
        self.deadly: Sequence[Sequence[Any]] = ()
        for event in before:
            if isinstance(event, UnitTried):
                self._keep(event)

    def events(self) -> Iterator[Event]:
        """Try what has not been tried; an event for each unit."""
        yield from self._first_pass()
        yield from self._second_pass()

    def unfinished(self) -> Iterator[Event]:
        """Tell which families were not tried to their end, and stop those who are at it."""
        for worker in self._busy:  # its answer is to a question that nobody asks any more
            self.drop(worker)
        self._busy.clear()
        if not self.workers:
            self.workers += self._started()
        for family in self._families.values():
            if not family.is_finished():
                skip = Skip(self._target, f"family {family.name}", "the run was interrupted")
                yield Skipped(skip)

    def summary(self) -> Iterator[Event]:
        """Tell of each finished family how many cases it has, and of what was left out."""
        for family in self._families.values():
            units = list(family.done.values())
            if family.is_finished():
                failing = sum(len(some) for unit in units for some in unit.failing.values())
                failing += sum(left for unit in units for left in unit.not_kept.values())
                cases = sum(unit.cases for unit in units)
                yield CasesTried(self._target, family.name, cases, failing)
            if left_out := sum(unit.not_tried for unit in units):
                reason = f"{left_out} texts hold, or resemble, texts that crash or hang the target"
                yield Skipped(Skip(self._target, f"part of family {family.name}", reason))
            if not_compared := sum(unit.not_compared for unit in units):
                what = f"comparison of {not_compared} texts of family {family.name}"
                reason = "the reference raises, or its process ends or hangs, on them"
                yield Skipped(Skip(self._target, what, reason))
        for code, left in sorted(self._chosen[1].items()):
            reason = "they are too many; others, evenly over all that fail, were diagnosed"
            what = f"diagnosis of {left:,} texts that fail {code}"
            yield Skipped(Skip(self._target, what, reason))

    @cached_property
    def _chosen(self) -> tuple[dict[str, dict[str, str]], Counter[str]]:
        return failing_texts(self._in_order(), self._diagnosed)

    @property
    def failing(self) -> dict[str, dict[str, str]]:
        """Failing texts to diagnose, with the family of each, by the code of the check."""
        return self._chosen[0]

    @property
    def is_deadly(self) -> bool:
        """Whether a text is known that ends the target's process or takes its memory."""
        return bool(self.deadly) or bool(self.failing.get(crashes_or_hangs.CODE))

    @property
    def cases(self) -> int:
        """How many cases have been tried."""
        return sum(unit.cases for unit in self._in_order())

    @property
    def seconds(self) -> float:
        """How long target and reference took for them, over all workers."""
        return sum(unit.seconds for unit in self._in_order())

    def _in_order(self) -> Iterator[UnitTried]:
        for family in self._families.values():
            for number in sorted(family.done):
                yield family.done[number]

    def _keep(self, unit: UnitTried) -> None:
        """Take in a unit; the first guarded one of a family takes the place of all after it."""
        family = self._families[unit.family]
        if unit.guarded:
            if family.deadly is None or unit.number < family.deadly:
                self._set_aside(family, unit.number)
            self.deadly = unit.deadly
        elif family.deadly is not None and unit.number >= family.deadly:
            return
        family.units = unit.units
        family.done[unit.number] = unit

    @staticmethod
    def _set_aside(family: _Family, number: int) -> None:
        family.deadly = number if family.deadly is None else min(family.deadly, number)
        for later in [n for n in family.done if n >= family.deadly]:
            del family.done[later]

    def _first_pass(self) -> Iterator[Event]:
        busy = self._busy
        idle = [worker for worker in self.workers if not worker.guarded]
        while True:
            while idle and (unit := self._next(busy)):
                worker = idle.pop()
                busy[worker] = unit
                worker.send(self._question(unit))
            if not busy:
                return
            worker = self._pool.next_ready(list(busy))
            family, number = busy[worker]
            try:
                event = self._received(worker, family, number)
            except TargetDeath as death:
                family.ended[number] = str(death)
                self._set_aside(family, number)
                del busy[worker]
                idle += self._replaced(worker)
                continue
            del busy[worker]
            idle.append(worker)
            if family.deadly is None or number < family.deadly:
                self._keep(event)
                yield event

    def _next(self, busy: dict[AnyWorker, tuple[_Family, int]]) -> tuple[_Family, int] | None:
        """Choose a unit: of a family nobody is at, so that its texts are made once, or of any."""
        taken = {family.name for family, _ in busy.values()}
        open_families = [family for family in self._families.values() if not family.is_finished()]
        for family in sorted(open_families, key=lambda f: (f.name in taken, not f.given)):
            number = family.next_unit()
            if number is not None:
                return family, number
        return None

    def _question(self, unit: tuple[_Family, int]) -> dict[str, Any]:
        family, number = unit
        return {"op": "unit", "family": family.name, "number": number, "deadly": self.deadly}

    def _received(self, worker: AnyWorker, family: _Family, number: int) -> UnitTried:
        answer = worker.receive()
        return UnitTried(
            target=self._target,
            family=family.name,
            number=number,
            guarded=worker.guarded,
            ended=family.ended.get(number, "") if worker.guarded else "",
            **answer,
        )

    def _replaced(self, worker: AnyWorker) -> list[AnyWorker]:
        """End a worker and start another."""
        self.drop(worker)
        started = self._started()
        self.workers += started
        return started

    def _started(self) -> list[AnyWorker]:
        worker = self._pool.start()
        return [] if loaded(self._pool, worker) is None else [worker]

    def _second_pass(self) -> Iterator[Event]:
        for family in self._families.values():
            if family.deadly is None and not family.is_finished():
                family.deadly = family.given  # there was no worker left
            number = family.deadly
            while number is not None and (family.units is None or number < family.units):
                if number not in family.done:
                    try:
                        worker = self.guarded_worker()
                        self._busy[worker] = (family, number)
                        worker.send(self._question((family, number)))
                        event = self._received(worker, family, number)
                        del self._busy[worker]
                    except TargetDeath as death:
                        yield self._lost(family, number, death)
                        if family.units is None:
                            break
                    else:
                        self._keep(event)
                        yield event
                number += 1

    def drop(self, worker: AnyWorker) -> None:
        """End a worker."""
        self._pool.end(worker)
        self.workers.remove(worker)

    def guarded_worker(self) -> AnyWorker:
        """Give the worker that has the target in a process of its own, which may have to start."""
        for worker in self.workers:
            if worker.guarded:
                return worker
        worker = self._pool.start(guarded=True)
        self.workers.append(worker)
        if loaded(self._pool, worker) is None:
            self.workers.remove(worker)
            raise TargetDeath("exit", "the worker ended while it loaded the target")
        return worker

    @property
    def unexplained(self) -> list[tuple[str, str]]:
        """Families of units that ended a worker, though none of their texts does so alone, and how.

        A unit that took too long may have been slow in all its texts, and a KeyboardInterrupt of
        the target's, which ends a worker, is an exception like others to a guarded one. A
        worker that the reference may have ended says nothing of the target.
        """
        return [
            (unit.family, unit.ended)
            for unit in self._in_order()
            if unit.ended and not unit.ended.startswith(("time limit", "SIGINT"))
            if not unit.failing.get(crashes_or_hangs.CODE)
            if not unit.not_tried and not unit.not_compared
        ]

    def _lost(self, family: _Family, number: int, death: TargetDeath) -> Event:
        """Tell of a unit that ends the worker although the target is not in its process."""
        for worker in [one for one in self.workers if one.guarded]:
            self.drop(worker)
        self._busy.clear()
        reason = f"the worker ended with {death}, though the target has a process of its own"
        part = "" if family.units is None else f"part {number + 1} of "
        what = f"{part}family {family.name}"
        return Skipped(Skip(self._target, what, reason))
