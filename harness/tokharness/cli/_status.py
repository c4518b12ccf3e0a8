"""What a run is doing, in words that follow its events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from tokharness.engine.events import (
    Event,
    FamilyFinished,
    FindingReported,
    RoundFinished,
    TargetFinished,
    TargetStarted,
    UnitFinished,
)
from tokharness.escaping import terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Status", "Task"]

Task: TypeAlias = Literal["checking", "fuzzing", "measuring"]

MAX_NAMED = 3
"""Families that are named."""


class Status:
    """What a run of ``specs`` is doing.

    ``title`` is the target, escaped; ``done`` is the number of families that have run, of
    ``total``, None if a share is unknown; ``cases`` counts those of the target.
    """

    def __init__(self, specs: Sequence[str], task: Task = "checking") -> None:
        self._waiting = list(dict.fromkeys(specs))
        self._task = task
        self._load_next()

    def _load_next(self) -> None:
        self.title = f"loading {terminal(self._waiting[0])}" if self._waiting else "finishing"
        self.cases, self.done, self.total = 0, 0.0, None
        self._source = ""
        self._failing: int | None = None
        self._is_reported = False
        self._is_loaded = False
        # Not the events: these have all texts that fail.
        self._cases: dict[str, dict[int, int]] = {}
        self._parts: dict[str, int] = {}

    total: int | None

    def update(self, event: Event) -> None:
        """Follow an event."""
        if isinstance(event, TargetStarted):
            self._start(event)
        elif isinstance(event, UnitFinished):
            self._finish_unit(event)
        elif isinstance(event, RoundFinished):
            self.cases += event.cases
            self._source = event.source
        elif isinstance(event, FamilyFinished):
            self._failing = (self._failing or 0) + event.failing
        elif isinstance(event, FindingReported):
            self._is_reported = True
        elif isinstance(event, TargetFinished):
            self._load_next()

    def _start(self, event: TargetStarted) -> None:
        self.title = terminal(event.spec)
        self._waiting = [spec for spec in self._waiting if spec != event.spec]
        self._is_loaded = True
        if self._task == "checking":
            self.total = len(event.families)
            self._cases = {name: {} for name in event.families}

    def _finish_unit(self, event: UnitFinished) -> None:
        """Count a unit; one that runs guarded takes the place of itself and of all later ones."""
        cases = self._cases.setdefault(event.family, {})
        later = [number for number in cases if event.guarded and number >= event.number]
        replaced = [cases.pop(number) for number in later]
        cases[event.number], self._parts[event.family] = event.cases, event.units
        self.cases += event.cases - sum(replaced)
        self.done += (1 - len(replaced)) / event.units

    def what(self) -> str:
        """Return what is being done; "" while a target is loaded."""
        if not self._is_loaded:
            return ""
        if self._is_reported:
            return "finishing the report"
        if self._failing is not None:
            texts = f"{self._failing:,} failing text{'' if self._failing == 1 else 's'}"
            return f"diagnosing {texts}, auditing" if self._failing else "auditing"
        if self._task == "checking":
            left = self._families_left()
            return f"families left: {left}" if left else "auditing"
        return f"{self._task} with texts of {self._source}" if self._source else self._task

    def _families_left(self) -> str:
        left = []
        for name, finished in self._cases.items():
            units = self._parts.get(name, 0)
            if not finished:
                left.append(name)
            elif len(finished) < units:
                left.append(f"{name} ({units - len(finished)} of {units} parts)")
        named = left[:MAX_NAMED]
        more = len(left) - len(named)
        return ", ".join(named) + (f" and {more} more" if more else "")

    def __str__(self) -> str:
        cases = f"{self.cases:,} cases" if self.cases else ""
        words = "; ".join(filter(None, (cases, self.what())))
        return f"{self.title}: {words}" if words else self.title
