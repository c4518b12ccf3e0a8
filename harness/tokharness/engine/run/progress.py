"""How far the families of a target are, and what their units have told so far.

What is told does not depend on which worker was how far when one died: the first unit of a family
that ends one is set aside with all later ones, whatever came of those.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokharness.checks import crashes_or_hangs
from tokharness.engine.events import FamilyFinished, Event, SkipRecorded, TargetStarted, UnitFinished
from tokharness.engine.run.failing import failing_texts
from tokharness.model import Skip

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Sequence

__all__ = ["FamilyProgress", "Progress"]


@dataclass
class FamilyProgress:
    """Units of a family that are done, given away, and the first that was deadly."""

    name: str
    units: int | None = None
    given: int = 0
    done: dict[int, UnitFinished] = field(default_factory=dict)
    deadly: int | None = None
    how_worker_ended: dict[int, str] = field(default_factory=dict)

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
        """Whether every unit is done."""
        return self.units is not None and len(self.done) == self.units

    def set_aside(self, number: int) -> None:
        """Forget this unit and all later ones: they are to be tried guarded."""
        self.deadly = number if self.deadly is None else min(self.deadly, number)
        for later in [n for n in self.done if n >= self.deadly]:
            del self.done[later]

    def keep(self, unit: UnitFinished) -> bool:
        """Take a unit in, unless it was set aside and is not guarded; say whether it is kept."""
        if unit.guarded:
            if self.deadly is None or unit.number < self.deadly:
                self.set_aside(unit.number)
        elif self.deadly is not None and unit.number >= self.deadly:
            return False
        self.units = unit.units
        self.done[unit.number] = unit
        return True

    def skips(self, spec: str) -> Iterator[Skip]:
        """Tell what was left out of the units that are done."""
        units = self.done.values()
        if left_out := sum(unit.left_out for unit in units):
            reason = f"{left_out} texts hold, or resemble, texts that crash or hang the target"
            yield Skip(spec, f"part of family {self.name}", reason)
        if not_compared := sum(unit.not_compared for unit in units):
            what = f"comparison of {not_compared} texts of family {self.name}"
            reason = "the reference raises, or its process ends or hangs, on them"
            yield Skip(spec, what, reason)


class Progress:
    """What the units of one target have told; ``diagnosed`` failing texts of a check are given."""

    def __init__(self, start: TargetStarted, before: Sequence[Event], diagnosed: int) -> None:
        self.spec, self._diagnosed = start.spec, diagnosed
        self.families = {name: FamilyProgress(name) for name in start.families}
        self.deadly: Sequence[Sequence[Any]] = ()
        for event in before:
            if isinstance(event, UnitFinished):
                self.keep(event)

    def keep(self, unit: UnitFinished) -> bool:
        """Take a unit in, and what it tells of deadly texts; say whether it is kept."""
        if unit.guarded:
            self.deadly = unit.deadly
        return self.families[unit.family].keep(unit)

    def unfinished(self) -> Iterator[Event]:
        """Tell which families were not tried to their end."""
        for family in self.families.values():
            if not family.is_finished():
                skip = Skip(self.spec, f"family {family.name}", "the run was interrupted")
                yield SkipRecorded(skip)

    def summary(self) -> Iterator[Event]:
        """Tell of each finished family how many cases it has, and of what was left out."""
        for family in self.families.values():
            if family.is_finished():
                units = list(family.done.values())
                failing = sum(len(some) for unit in units for some in unit.failing.values())
                failing += sum(left for unit in units for left in unit.failing_left_out.values())
                cases = sum(unit.cases for unit in units)
                yield FamilyFinished(self.spec, family.name, cases, failing)
            yield from map(SkipRecorded, family.skips(self.spec))
        for code, left in sorted(self._chosen[1].items()):
            reason = "they are too many; others, evenly over all that fail, were diagnosed"
            what = f"diagnosis of {left:,} texts that fail {code}"
            yield SkipRecorded(Skip(self.spec, what, reason))

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

    @property
    def unexplained(self) -> list[tuple[str, str]]:
        """Families of units that ended a worker, though none of their texts does so alone, and how.

        A unit that took too long may have been slow in all its texts, and a KeyboardInterrupt of
        the target's, which ends a worker, is an exception like others to a guarded one. A
        worker that the reference may have ended says nothing of the target.
        """
        return [
            (unit.family, unit.how_worker_ended)
            for unit in self._in_order()
            if unit.how_worker_ended and not unit.how_worker_ended.startswith(("time limit", "SIGINT"))
            if not unit.failing.get(crashes_or_hangs.CODE)
            if not unit.left_out and not unit.not_compared
        ]

    def _in_order(self) -> Iterator[UnitFinished]:
        for family in self.families.values():
            for number in sorted(family.done):
                yield family.done[number]
