"""A limit for the time of a diagnosis or an audit, however long a single step of it takes.

Most budgets are looked at between texts. What is found out for one text may take a target in plain
Python minutes, or a hundred hangs; so each call looks at this limit.
"""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from tokharness.engine.worker.budget import busy_seconds
from tokharness.engine.worker.state import remote_of
from tokharness.targets.processes.load_time import crowding
from tokharness.targets.processes.watchdog import is_asked_to_stop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.targets.subject import Subject


@contextmanager
def limited(subject: Subject, seconds: float) -> Iterator[None]:
    """Limit the block to so many seconds: then a call of target or reference raises.

    These are seconds of the processor (:mod:`~tokharness.engine.worker.budget`), unless the
    target has a process of its own: then they are those of the clock, more on a busy machine, and
    the time that deaths cost is counted for this block alone. An interrupt of the run ends the
    block, too.

    Raises:
        BudgetSpentError: the block made a call after that.

    """
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
