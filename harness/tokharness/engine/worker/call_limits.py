"""A limit for the time of a diagnosis or an audit, however long a single step of it takes.

Most budgets only end between texts. The diagnosis of a single text may take minutes with a target
in plain Python, or a hundred hangs; therefore each call looks at this limit.
"""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from tokharness.engine.worker.budget import busy_seconds
from tokharness.engine.worker.state import remote_of
from tokharness.targets.processes.load_time import crowding, is_asked_to_stop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.targets.subject import Subject


@contextmanager
def limited(subject: Subject, seconds: float) -> Iterator[None]:
    """Limit the block to so many seconds: then a call of target or reference raises.

    ``seconds`` is processor time (:mod:`~tokharness.engine.worker.budget`). If the target has a
    process of its own, it is wall time, with more seconds on a busy machine, and the time that
    deaths cost is counted for this block alone. An interrupt of the run ends the block, too.

    Raises:
        BudgetSpentError: the block made a call after the limit.

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
