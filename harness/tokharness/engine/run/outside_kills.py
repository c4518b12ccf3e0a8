"""Workers that were ended from outside, as by an OOM killer: counted, and reported as a fact."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokharness.checks import crashes_or_hangs
from tokharness.engine.worker.reproduce import command_line
from tokharness.errors import TargetDeath
from tokharness.model import Cause, Finding, Skip, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MAX_KILLS", "OutsideKills", "WorkerLostError", "lost_response"]

MAX_KILLS = 5
"""Guarded workers that may be ended from outside; after that their requests are not repeated."""


class WorkerLostError(TargetDeath):
    """No worker is left for a request, which says nothing about the target."""

    def __init__(self, why: str) -> None:
        super().__init__("no worker", why)


def lost_response(spec: str, what: str, death: TargetDeath) -> Skip:
    """Return the skip of a request that ended with a death; it is unfinished without a worker."""
    if isinstance(death, WorkerLostError):
        return Skip(spec, what, death.detail, unfinished=True)
    return Skip(spec, what, f"the target's process ended with {death}")


class OutsideKills:
    """Deaths of the workers of one target that a fresh worker did not show again, by signal.

    The report is ``incomplete`` if something was not run again.
    """

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self._signals: Counter[str] = Counter()
        self.incomplete = False

    def add(self, deaths: Iterable[TargetDeath]) -> None:
        """Count deaths by a signal from outside."""
        self._signals.update(death.reason for death in deaths)

    @property
    def total(self) -> int:
        """Number of these deaths."""
        return self._signals.total()

    @property
    def signals(self) -> str:
        """Names of the signals."""
        return ", ".join(sorted(self._signals))

    def findings(self) -> list[Finding]:
        """Return the fact, or nothing if there were no such deaths."""
        if not self._signals:
            return []
        times = "once" if self.total == 1 else f"{self.total} times"
        rest = "some of its work is skipped" if self.incomplete else "everything was run again"
        message = f"a worker was ended from outside ({self.signals}), {times}; {rest}"
        parameters = (("by", self.signals),)
        return [
            Finding(
                spec=self._spec,
                code=crashes_or_hangs.CODE,
                name=crashes_or_hangs.NAME,
                cause=Cause("ended-from-outside", parameters, Verdict.FACT, message),
                count=self.total,
                text=None,
                families=(),
                reproduce=command_line(["tokharness", "check", self._spec]),
            )
        ]
