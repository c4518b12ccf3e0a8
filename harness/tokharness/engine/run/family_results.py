"""Which units of one family have finished, and their results.

A baseline identifies a skip by its ``what``, so those strings must stay.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokharness.config import RUN_LIMIT
from tokharness.model import Skip
from tokharness.targets.processes.crashers import LIMIT, is_spent
from tokharness.targets.processes.death_shapes import measure_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.engine.events import UnitFinished
    from tokharness.errors import TargetDeath

TIME_SPENT = f"the processor time of the run is used up, {RUN_LIMIT} sets it"
DEATHS_SPENT = "too much time was spent on texts that end or hang the target"


@dataclass
class FamilyProgress:
    """Units of one family.

    ``units`` is the number of units; None before the first unit has finished. Units below
    ``scheduled`` are finished or running. Units from ``first_guarded`` on run in a guarded worker.
    ``deaths`` has the deaths of workers that a unit killed, by unit; units of ``to_repeat`` run
    again in a fresh worker. If there is no time for the other units, the rest ``is_left_out``.
    ``why_not_run`` is the reason for texts that were not run.
    """

    name: str
    units: int | None = None
    scheduled: int = 0
    finished: dict[int, UnitFinished] = field(default_factory=dict)
    first_guarded: int | None = None
    deaths: dict[int, list[TargetDeath]] = field(default_factory=dict)
    to_repeat: list[int] = field(default_factory=list)
    is_left_out: bool = False
    is_unfinished: bool = False
    why_not_run: str = TIME_SPENT

    def schedule_next(self) -> int | None:
        """Schedule the next unit of the first pass and return its number; None if there is none."""
        while self.to_repeat:
            number = self.to_repeat.pop()
            if self.first_guarded is None or number < self.first_guarded:
                return number
        while self.scheduled in self.finished:
            self.scheduled += 1
        end = self.units if self.units is not None else 1
        if self.scheduled >= end or self.first_guarded is not None:
            return None
        self.scheduled += 1
        return self.scheduled - 1

    def is_finished(self) -> bool:
        """Whether every unit has finished, or no time is left for the unfinished units."""
        if self.is_left_out:
            return True
        if self.units is None or len(self.finished) < self.units:
            return False
        return all(number in self.finished for number in range(self.units))

    def record_death(self, number: int, death: TargetDeath) -> None:
        """Run a unit again that killed its worker: in a guarded one, unless it may be innocent.

        A worker that may have been ended from outside is replaced once.
        """
        deaths = self.deaths.setdefault(number, [])
        deaths.append(death)
        if death.is_external and len(deaths) == 1:
            self.to_repeat.append(number)
        else:
            self.guard_from(number)

    def leave_out_rest(self, *, whole_is_unfinished: bool = False) -> None:
        """Leave out the units that have not finished, unless a unit has to run guarded.

        With ``whole_is_unfinished``, a family without any finished unit counts as unfinished work
        of the run.
        """
        if self.first_guarded is None and not self.is_finished():
            self.is_left_out = True
            self.is_unfinished = whole_is_unfinished and not self.finished

    def guard_rest(self) -> None:
        """Run the remaining units guarded, since the first pass has no worker left."""
        if self.is_left_out:
            return
        end = self.scheduled if self.first_guarded is None else self.first_guarded
        left = [number for number in range(end) if number not in self.finished]
        if left or (self.first_guarded is None and not self.is_finished()):
            self.guard_from(min(left, default=end))

    def guard_from(self, number: int) -> None:
        """Discard the results of this unit and of all later units, to run these units guarded."""
        first = number if self.first_guarded is None else min(self.first_guarded, number)
        self.first_guarded = first
        for later in [number for number in self.finished if number >= first]:
            del self.finished[later]

    def add(self, unit: UnitFinished) -> bool:
        """Add the result of a unit; return False if the unit has to run guarded instead."""
        if unit.guarded:
            if self.first_guarded is None or unit.number < self.first_guarded:
                self.guard_from(unit.number)
        elif self.first_guarded is not None and unit.number >= self.first_guarded:
            return False
        self.units = unit.units
        self.finished[unit.number] = unit
        return True

    def skips(self, spec: str) -> Iterator[Skip]:
        """Yield a skip for everything that the finished units left out."""
        units = self.finished.values()
        yield from self._skips_for_time(spec)
        if left_out := sum(unit.left_out for unit in units):
            like = "1 text is" if left_out == 1 else f"{left_out} texts are"
            reason = f"{like} equal or similar to a text that crashes or hangs the target"
            rows = [row for unit in units for row in unit.crashers]
            if is_spent(rows):
                reason = f"{reason}, or not run, since too much time was spent on such texts"
            elif sizes := sorted({_words(row) for row in rows if row[0] == LIMIT}):
                reason = f"{reason}, or {' or '.join(sizes)}, as all texts that do so"
            yield Skip(spec, f"part of family {self.name}", reason)
        if not_compared := sum(unit.not_compared for unit in units):
            what = f"comparison of {not_compared} texts of family {self.name}"
            yield Skip(spec, what, "the reference raises, crashes, hangs or gets another text")

    def _skips_for_time(self, spec: str) -> Iterator[Skip]:
        """Yield skips for lack of time: of units of the family, and of texts of finished units."""
        units = self.finished.values()
        is_lost = any(is_spent(unit.crashers) for unit in units)
        why = DEATHS_SPENT if is_lost else TIME_SPENT
        if self.is_left_out and not units:
            yield Skip(spec, f"family {self.name}", why, self.is_unfinished)
            return
        if self.is_left_out and (missing := (self.units or 0) - len(units)):
            yield Skip(
                spec, f"part of family {self.name}", f"{why} ({missing} of {self.units} parts)"
            )
        if texts := sum(unit.not_run for unit in units):
            yield Skip(spec, f"part of family {self.name}", f"{self.why_not_run} ({texts:,} texts)")


def _words(row: Sequence[Any]) -> str:
    """Return the limit of a row in words."""
    _, size, name, _ = row
    return measure_of(name).words.format(size)
