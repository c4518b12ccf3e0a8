"""How many calls, and how much processor time, a diagnosis may use.

On a target that fails on nearly every text, diagnosing all of them takes hours. The calls are what
usually ends a diagnosis, since they are the same for any number of workers and on any machine; the
time is a second limit, for targets whose calls are slow.

Most budgets only end between texts. The diagnosis of a single text may take minutes with a target
in plain Python, or a hundred hangs; therefore each call looks at this limit.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections import Counter
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokharness.targets.processes.deadlines import crowding, is_asked_to_stop
from tokharness.targets.processes.limits import WaitingTime

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.targets.subject import Subject


# A clock that counts processor time, and some of the time in which a target sleeps.
#
# It counts the processor time of this process and of its ended children. On a busy machine a worker
# waits for the processor, which must not use up its time. A target that asks a server for each text
# uses no processor time, but its diagnosis has to end too.

IDLE_SHARE = 0.25
"""Share of the passed time that counts, without that of waiting for a processor, if the process
used less processor time."""

LOOK_SECONDS = 0.02
"""Seconds between two looks at the processor time. A look takes longer than many calls of a target,
each of which asks for the time."""


class BusyClock:
    """Returns a number of seconds; only differences between two numbers have a meaning."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._processor, self._passed = _processor_seconds(), time.monotonic()
        self._waiting = WaitingTime()
        self._waited = 0.0
        self._is_looking = threading.Lock()

    def __call__(self) -> float:
        """Return the seconds until now, at most ``LOOK_SECONDS`` out of date."""
        passed = time.monotonic()
        if 0 <= passed - self._passed < LOOK_SECONDS:
            return self._seconds
        if self._is_looking.acquire(blocking=False):  # else another thread adds the same time
            try:
                self._look(passed)
            finally:
                self._is_looking.release()
        return self._seconds

    def _look(self, passed: float) -> None:
        processor, waited = _processor_seconds(), self._waiting()
        idle = (passed - self._passed - (waited - self._waited)) * IDLE_SHARE
        self._seconds += max(processor - self._processor, idle)
        self._processor, self._passed, self._waited = processor, passed, waited


def _processor_seconds() -> float:
    ended = os.times()
    return time.process_time() + ended.children_user + ended.children_system


busy_seconds = BusyClock()
"""The clock of this process."""


class SharedClock:
    """Returns the seconds that passed, as few as there are on a machine with nothing else to do."""

    def __init__(self) -> None:
        self._seconds, self._passed = 0.0, time.monotonic()

    def __call__(self) -> float:
        """Return the seconds until now."""
        passed = time.monotonic()
        self._seconds += (passed - self._passed) / crowding()
        self._passed = passed
        return self._seconds


shared_seconds = SharedClock()
"""The clock for a target in a process of its own, whose processor time this process cannot see."""

CALLS = 3_000_000
"""Most calls for the diagnosis of a check."""

SECONDS, MIN_SHARE = 45.0, 1 / 24
"""Seconds for the diagnosis of all checks, and the least share of each check."""


LAST_SHARE, PREPARATION_SECONDS = 3.0, 10.0
"""Limits of the last call of a check, which exceed its budget: a budget only ends between texts."""

LEAST_TIME_SHARE = 0.6
"""Least share of the time for a part, so that its calls are the limit even on a busy machine."""


@dataclass(frozen=True)
class Budget:
    """Limits of one part of a diagnosis: a number of the subject's calls, and a time."""

    subject: Subject
    last_call: float = math.inf
    deadline: float = math.inf

    def is_used_up(self) -> bool:
        """Whether a limit is reached."""
        return self.subject.calls >= self.last_call or _now(self.subject) >= self.deadline

    def part(self, share: float) -> Budget:
        """Return a budget for a share of the remaining calls and time."""
        calls, now = self.subject.calls, _now(self.subject)
        return Budget(
            self.subject,
            calls + max(self.last_call - calls, 0) * share,
            now + max(self.deadline - now, 0) * max(share, LEAST_TIME_SHARE),
        )


def _now(subject: Subject) -> float:
    """Return the time without preparations: processor time if the target is in this process."""
    now = shared_seconds() if subject.target.has_own_process else busy_seconds()
    return now - subject.state.preparation


@dataclass
class DiagnosisBudgets:
    """The budgets of the checks in one diagnosis; ``not_diagnosed`` counts texts by check code.

    Each check gets an equal part of the remaining time, and twice this part if other checks leave
    time for it.
    """

    checks: int
    seconds: float = SECONDS
    begin: float | None = None
    not_diagnosed: Counter[str] = field(default_factory=Counter)

    @property
    def last_seconds(self) -> float:
        """Seconds after which the next check makes no call; its preparations may take long."""
        return self.seconds * LAST_SHARE / max(self.checks, 2) + PREPARATION_SECONDS

    def next(self, subject: Subject) -> Budget:
        """Return the budget of the next check."""
        now = _now(subject)
        self.begin = now if self.begin is None else self.begin
        seconds = 2 * max(self.begin + self.seconds - now, 0) / max(self.checks, 2)
        self.checks -= 1
        return Budget(subject, subject.calls + CALLS, now + max(seconds, self.seconds * MIN_SHARE))


@contextmanager
def limited(subject: Subject, seconds: float) -> Iterator[None]:
    """Limit the block to so many seconds: then a call of target or reference raises.

    ``seconds`` is processor time (:mod:`~tokharness.engine.worker.budget`). If the target has a
    process of its own, it is wall time, with more seconds on a busy machine, and the time that
    deaths cost is counted for this block alone. An interrupt of the run ends the block, too.

    Raises:
        BudgetSpentError: the block made a call after the limit.

    """
    from tokharness.engine.worker.state import remote_of  # the command does not need it

    remote = remote_of(subject)
    clock: Callable[[], float] = busy_seconds if remote is None else time.monotonic
    deadline = clock() + (seconds if remote is None else seconds * crowding())

    owners = (subject.target, subject.original_target, subject.reference, subject.explainer)
    counts = {id(owner.calls): owner.calls for owner in owners if owner is not None}
    with ExitStack() as stack:
        if remote is not None:
            stack.enter_context(remote.own_time())
        for count in counts.values():
            count.is_spent = lambda: clock() >= deadline or is_asked_to_stop()
        try:
            yield
        finally:
            for count in counts.values():
                count.is_spent = None


def is_spent(subject: Subject) -> bool:
    """Whether the time of a :func:`limited` block is over."""
    spent = subject.target.calls.is_spent
    return spent is not None and spent()
