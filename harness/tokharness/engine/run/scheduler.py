"""Run all units of the families of a target with several workers.

Units may run elsewhere first. In the first pass the target is in the processes of the workers. If
a unit kills its worker, this unit and all later units of its family run in the second pass, one
after another in a guarded worker, where texts can be run alone. Therefore the results do not depend
on how far each worker was.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.checks import crashes_or_hangs
from tokharness.engine.events import Event, SkipRecorded, UnitFinished
from tokharness.engine.requests import UnitRequest
from tokharness.engine.run.death_findings import WorkerLostError
from tokharness.errors import INTERNAL_ERROR, TargetDeath
from tokharness.model import Skip
from tokharness.targets.processes.crashers import is_spent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokharness.engine.requests import KnownResults
    from tokharness.engine.run.family_results import FamilyProgress
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.engine.run.pool import AnyWorker
    from tokharness.engine.run.unit_results import Progress

    Unit: TypeAlias = tuple[FamilyProgress, int]
    Elsewhere: TypeAlias = Callable[
        [Sequence[UnitRequest]], Iterator[tuple[int, dict[str, Any] | None]]
    ]
    """Runs units elsewhere: yields the place of each request and its response, if it has one."""

MAX_SLOW_DEATHS = 3
"""Most workers that hang or exhaust their memory, which takes seconds, in the first pass."""

MAX_KILLED = 4
"""Most workers that die in the first pass if fewer units finish: each costs a load."""

MAX_DEATHS = 2
"""Most workers that die before a unit has finished; then the first texts show if any text works."""


class Scheduler:
    """Schedules the units of one target on workers; ``known`` are the results of earlier runs.

    Units run ``elsewhere`` first, if that is given.
    """

    def __init__(
        self,
        progress: Progress,
        workers: Workers,
        known: KnownResults,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        self.progress, self._workers, self._known = progress, workers, known
        self._elsewhere = elsewhere
        self._busy: dict[AnyWorker, Unit] = {}
        self._repeated_error = False
        self._time = workers.pool.time
        self._time.begin_texts()

    def events(self) -> Iterator[Event]:
        """Run the units that have not finished; yield an event for each."""
        if self._elsewhere is not None:
            yield from self._pass_elsewhere(self._elsewhere)
        yield from self._first_pass()
        if not self._time.texts_left():
            for family in self.progress.families.values():
                family.leave_out_rest(whole_is_unfinished=self._workers.has_fast_target)
        yield from self._second_pass()

    def interrupt(self) -> None:
        """Ask the busy workers for the results that they have, and kill those that do not respond.

        The workers that respond can diagnose; a new worker would have to load the target.
        """
        for worker, response in self._workers.responses_of_rest(self._busy):
            self.progress.add(self._event(response, *self._busy.pop(worker)))
        self._workers.drop_busy(self._busy)
        self._busy.clear()

    def _pass_elsewhere(self, elsewhere: Elsewhere) -> Iterator[Event]:
        """Run units elsewhere; those without a response are left to the first pass."""
        without: list[Unit] = []
        while units := list(iter(self._next_unit, None)):
            for place, response in elsewhere(list(map(self._request, units))):
                family, number = units[place]
                if response is None:
                    without.append((family, number))
                else:
                    event = self._event(response, family, number)
                    self.progress.add(event)
                    yield event
        for family, number in without:
            family.to_repeat.append(number)

    def _first_pass(self) -> Iterator[Event]:
        busy = self._busy
        idle = self._workers.unguarded
        slow_deaths = killed = answered = 0
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
                event = self._event(worker.receive(), family, number)
            except TargetDeath as death:
                family.record_death(number, death)
                del busy[worker]
                self._workers.drop(worker)
                self._stop_early((family, number), death)
                slow_deaths += death.reason in ("time limit", "memory limit")
                killed += not death.is_external
                if slow_deaths > MAX_SLOW_DEATHS or killed > max(MAX_KILLED, answered):
                    # Everything else runs in the second pass.
                    self._workers.drop_busy(busy)
                    busy.clear()
                    return
                idle += self._workers.start()
                continue
            del busy[worker]
            idle.append(worker)
            answered += 1
            if self.progress.add(event):
                self._workers.kills.add(family.deaths.pop(number, ()))
                yield event

    def _stop_early(self, unit: Unit, death: TargetDeath) -> None:
        """Find out, in the guarded worker, whether each unit would kill its worker.

        Raises:
            NoAnswerError: the target hangs or dies on each of the first texts.
            PluginError: a plugin fails, and the target has nothing to do with it.
            InternalError: our own code fails, and the target has nothing to do with it.

        """
        families = self.progress.families.values()
        deaths = sum(len(one) for family in families for one in family.deaths.values())
        with contextlib.suppress(TargetDeath):
            if death.reason == INTERNAL_ERROR and not self._repeated_error:
                self._repeated_error = True
                self._workers.call_guarded(self._request(unit))
            elif deaths == MAX_DEATHS and not any(family.finished for family in families):
                self._workers.guarded_worker()

    def _next_unit(self) -> Unit | None:
        """Choose a unit, if possible of a family that no worker runs, to make its texts once."""
        if not self._time.texts_left():
            return None
        busy = {family.name for family, _ in self._busy.values()}
        unfinished = [
            family for family in self.progress.families.values() if not family.is_finished()
        ]
        if self._time.is_short():
            unfinished.sort(key=lambda f: f.scheduled)
        else:
            unfinished.sort(key=lambda f: (f.name in busy, not f.scheduled))
        for family in unfinished:
            number = family.schedule_next()
            if number is not None:
                return family, number
        return None

    def _request(self, unit: Unit) -> UnitRequest:
        family, number = unit
        return UnitRequest(
            family.name,
            number,
            self.progress.crashers,
            before=self._known.before.get((family.name, number), ""),
            compared=self._known.compared.get((family.name, number), ""),
            seconds=self._time.of_unit(),
        )

    def _event(self, response: dict[str, Any], family: FamilyProgress, number: int) -> UnitFinished:
        self._time.reported += response.pop("processor_seconds")
        return UnitFinished(self.progress.spec, family.name, number, **response)

    def _second_pass(self) -> Iterator[Event]:
        families = self.progress.families.values()
        for family in families:
            family.guard_rest()
        if not all(family.is_finished() for family in families):
            self._workers.make_room()
        for family in families:
            number = family.first_guarded
            while number is not None and (family.units is None or number < family.units):
                if number not in family.finished:
                    if not self._time.texts_left() or is_spent(self.progress.crashers):
                        family.is_left_out = True
                        break
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
        response = self._workers.call_guarded(self._request((family, number)))
        self._time.reported += response.pop("processor_seconds")
        deaths = family.deaths.get(number, [])
        event = UnitFinished(self.progress.spec, family.name, number, guarded=True, **response)
        if not deaths:
            return event
        event = replace(event, worker_death=str(deaths[-1]))
        if deaths[-1].is_external and not event.failing.get(crashes_or_hangs.CODE):
            death = self._workers.shown_again(self._request((family, number)), deaths)
            return replace(event, worker_death="" if death is None else str(death))
        return event

    def _skip(self, family: FamilyProgress, number: int, death: TargetDeath) -> Event:
        """Skip a unit that kills even a guarded worker."""
        reason = f"the worker ended with {death}, though the target has a process of its own"
        if isinstance(death, WorkerLostError):
            reason = death.detail
            self._workers.kills.add(one for one in family.deaths.get(number, ()) if one.is_external)
        part = "" if family.units is None else f"part {number + 1} of "
        return SkipRecorded(
            Skip(self.progress.spec, f"{part}family {family.name}", reason, unfinished=True)
        )
