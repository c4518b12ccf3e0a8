"""What ends the run of a target early, after a report of the findings so far."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeAlias

from tokharness.engine.responses import NoAnswerError
from tokharness.errors import InternalError, TokharnessError
from tokharness.targets.processes.deadlines import crowding

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from tokharness.engine.events import Event
    from tokharness.engine.run.pool import Pool

StopError: TypeAlias = KeyboardInterrupt | TokharnessError | InternalError | OSError
STOPS = (KeyboardInterrupt, TokharnessError, InternalError, OSError)

REST_SECONDS, MOST_REST = 3.5, 2.0
"""Seconds after an interrupt for diagnoses and audits, and the largest factor for a busy machine:
many programs send SIGKILL ten seconds after SIGTERM."""


def reason_to_stop(error: StopError) -> str:
    """Return the reason to skip the rest of a run that this error stops."""
    if isinstance(error, KeyboardInterrupt):
        return "the run was interrupted"
    if isinstance(error, NoAnswerError):
        return "the target hangs or dies on each of the first texts; --keep-going runs the rest"
    return f"internal error: {error}" if isinstance(error, InternalError) else str(error)


def limit_rest(pool: Pool, error: StopError | None) -> None:
    """Limit the time of the work after the first interrupt."""
    if isinstance(error, KeyboardInterrupt) and pool.interrupt_at is None:
        pool.interrupt_at = time.monotonic() + REST_SECONDS * crowding(MOST_REST)


def raise_stop(error: StopError | None) -> None:
    """Raise the error that stopped a run, unless the findings report it."""
    if error is not None and not isinstance(error, NoAnswerError):
        raise error


def yield_all(events: Iterable[Event]) -> Generator[Event, None, KeyboardInterrupt | None]:
    """Yield all events; return an interrupt that arrives meanwhile, or None."""
    interrupt: KeyboardInterrupt | None = None
    for event in events:
        try:
            yield event
        except KeyboardInterrupt as error:
            interrupt = error
    return interrupt
