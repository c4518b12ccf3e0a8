"""The worker processes of one target: start them, wait for the next response, kill them."""

from __future__ import annotations

import os
import selectors
import sys
import time
from typing import TYPE_CHECKING, Self

from tokharness.engine.requests import LoadRequest
from tokharness.engine.run.processor_time import ProcessorTime
from tokharness.engine.run.worker_process import AnyWorker, LocalWorker, WorkerProcess
from tokharness.interrupts import interruptible
from tokharness.targets.processes.leftovers import Guard
from tokharness.targets.processes.line_process import LOOK_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.config import Options

__all__ = ["Pool", "automatic_jobs"]

MAX_AUTOMATIC = 8
"""Each worker loads the target; more workers cost more time for that than they save."""


def automatic_jobs() -> int:
    """Return the default number of workers: one per usable core, up to ``MAX_AUTOMATIC``."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(cores or 1, MAX_AUTOMATIC)


class Pool:
    """Workers for one target; leaving the context kills them all, and what the target started.

    With 0 ``jobs`` the worker runs within this process. From the ``time.monotonic()`` of
    ``interrupt_at`` on, waiting for a worker raises KeyboardInterrupt. While waiting, ``watch`` is
    called again and again. ``time`` is the processor time of the run, which has no limit until one
    is set, and ``load_left`` the seconds of a load, those of all that failed before together.
    """

    def __init__(self, spec: str, options: Options, jobs: int) -> None:
        self.spec, self.options, self.jobs = spec, options, jobs
        self.interrupt_at: float | None = None
        self.watch: Callable[[], None] | None = None
        self.time = ProcessorTime()
        self.load_left = options.load_limit
        self._all: list[AnyWorker] = []
        self._guard = Guard() if jobs else None
        self._output_size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            for worker in list(self._all):
                self.kill(worker)
        finally:
            if self._guard is not None:
                self._guard.end()

    @property
    def workers(self) -> list[AnyWorker]:
        """All workers, the first one first."""
        return list(self._all)

    @property
    def output_size(self) -> int:
        """Bytes that the target has printed in the processes of all workers."""
        return self._output_size + sum(worker.output_size for worker in self._all)

    def start(self, *, guarded: bool = False, cold: bool = False) -> AnyWorker:
        """Start a worker, and send it the request to load the target."""
        worker: AnyWorker
        if self._guard is None:
            worker = LocalWorker(guarded=guarded)
        else:
            worker = WorkerProcess(
                self.options.memory_limit,
                self.load_left,
                self._guard.environment,
                self._wait,
                guarded=guarded,
            )
        self._all.append(worker)
        worker.send(LoadRequest(self.spec, self.options, sys.path, guarded, cold))
        return worker

    def kill(self, worker: AnyWorker) -> None:
        """Kill a worker."""
        worker.kill()
        self._all.remove(worker)
        self._output_size += worker.output_size

    def next_ready(self, busy: Sequence[AnyWorker]) -> AnyWorker:
        """Wait until one of the workers has a response or has died, and return it.

        Raises:
            KeyboardInterrupt: it is ``interrupt_at``.

        """
        while True:
            for worker in busy:
                if isinstance(worker, LocalWorker) or worker.has_response():
                    return worker
            if self.watch is not None:
                self.watch()
            if self.interrupt_at is not None and time.monotonic() >= self.interrupt_at:
                raise KeyboardInterrupt
            with selectors.DefaultSelector() as selector:
                for worker in busy:
                    for fd in worker.descriptors:
                        selector.register(fd, selectors.EVENT_READ)
                with interruptible():
                    selector.select(LOOK_SECONDS)

    def _wait(self, worker: WorkerProcess) -> None:
        self.next_ready([worker])
