"""The worker processes of one target: start them, wait for the next response, kill them."""

from __future__ import annotations

import os
import selectors
import sys
from typing import TYPE_CHECKING, Self

from tokharness.engine.requests import LoadRequest
from tokharness.engine.run.worker_process import AnyWorker, LocalWorker, WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.config import Options

__all__ = ["Pool", "automatic_jobs"]

MAX_AUTOMATIC = 8
"""Each worker loads the target; more workers cost more time for that than they save."""

CHECK_AFTER = 5.0
"""Seconds without a response after which stopped workers are killed."""


def automatic_jobs() -> int:
    """Return the default number of workers: one per usable core, up to ``MAX_AUTOMATIC``."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(cores or 1, MAX_AUTOMATIC)


class Pool:
    """Workers for one target; leaving the context kills them all.

    With 0 ``jobs`` the worker runs within this process.
    """

    def __init__(self, spec: str, options: Options, jobs: int) -> None:
        self.spec, self._options, self.jobs = spec, options, jobs
        self._all: list[AnyWorker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in list(self._all):
            self.kill(worker)

    def start(self, *, guarded: bool = False) -> AnyWorker:
        """Start a worker, and send it the request to load the target."""
        memory = self._options.memory_limit
        worker = WorkerProcess(memory) if self.jobs else LocalWorker()
        self._all.append(worker)
        worker.guarded = guarded
        worker.send(LoadRequest(self.spec, self._options, sys.path, guarded))
        return worker

    def kill(self, worker: AnyWorker) -> None:
        """Kill a worker."""
        worker.kill()
        self._all.remove(worker)

    @staticmethod
    def next_ready(busy: Sequence[AnyWorker]) -> AnyWorker:
        """Wait until one of the workers has a response or has died, and return it."""
        for worker in busy:
            if isinstance(worker, LocalWorker) or worker.death is not None:
                return worker
        with selectors.DefaultSelector() as selector:
            for worker in busy:
                selector.register(worker.fd, selectors.EVENT_READ, worker)
            while True:
                ready = selector.select(CHECK_AFTER)
                for key, _ in ready:
                    if key.data.has_response():
                        return key.data  # type: ignore[no-any-return]
                for worker in busy if not ready else ():
                    worker.kill_if_stopped()
