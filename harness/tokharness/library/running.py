"""A run that a function of the library makes: its events become a report, its errors are raised."""

from __future__ import annotations

import sys
from contextlib import closing, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from tokharness.engine.load_failures import NotLoadedError
from tokharness.errors import TargetError, TokharnessError, UsageError
from tokharness.results.report import Collector

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tokharness.config import Options
    from tokharness.engine.events import Event
    from tokharness.results.report import Report

__all__ = ["collect"]

WORKERS = ("tokharness.engine.worker.main", "tokharness.targets.processes.serve")
"""The programs of the processes that load a target."""

_is_running: ContextVar[bool] = ContextVar("is_running", default=False)


def collect(events: Generator[Event], options: Options, function: str) -> Report:
    """Run what yields the events of a function of the library, and return the report.

    Raises:
        UsageError: this is a worker, or it is within another run.
        TargetError: a target cannot be loaded.

    """
    collector = Collector(options)
    with _outermost(function), closing(events):
        try:
            for event in events:
                collector.add(event)
        except NotLoadedError as error:
            raise TargetError(str(error), failure=error.failure) from None
        except TokharnessError as error:
            if type(error) is not TokharnessError:
                raise
            # A worker reports an error without its class; what it refuses is the target.
            raise TargetError(str(error)) from None
    return collector.report()


@contextmanager
def _outermost(function: str) -> Iterator[None]:
    """Refuse a run within a run: the module of a target would start workers without end."""
    main = getattr(sys.modules.get("__main__"), "__spec__", None)
    if _is_running.get() or getattr(main, "name", None) in WORKERS:
        raise UsageError(
            f"the file of a target calls tokharness.{function} when it is imported: put the call "
            'under `if __name__ == "__main__":`'
        )
    token = _is_running.set(True)
    try:
        yield
    finally:
        _is_running.reset(token)
