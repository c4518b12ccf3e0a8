"""The workers of a target while it is tried: those that end are replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.engine.run.startup import wait_until_loaded
from tokharness.errors import TargetDeath

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.engine.run.pool import AnyWorker, Pool

__all__ = ["Workers"]


class Workers:
    """Workers that have loaded the target, in their own process or guarded."""

    def __init__(self, pool: Pool, workers: list[AnyWorker]) -> None:
        self.pool, self.workers = pool, workers

    @property
    def unguarded(self) -> list[AnyWorker]:
        """Those that have the target in their own process."""
        return [worker for worker in self.workers if not worker.guarded]

    def drop(self, worker: AnyWorker) -> None:
        """End a worker."""
        self.pool.end(worker)
        self.workers.remove(worker)

    def interrupted(self, busy: Iterable[AnyWorker]) -> None:
        """End those who are at something: nobody asks any more what they are about to answer."""
        for worker in busy:
            self.drop(worker)
        if not self.workers:
            self.started()

    def replaced(self, worker: AnyWorker) -> list[AnyWorker]:
        """End a worker and start another; give it, unless it ends while it loads the target."""
        self.drop(worker)
        return self.started()

    def started(self) -> list[AnyWorker]:
        """Start a worker more, in whose process the target is."""
        worker = self.pool.start()
        if wait_until_loaded(self.pool, worker) is None:
            return []
        self.workers.append(worker)
        return [worker]

    def guarded_worker(self) -> AnyWorker:
        """Give the worker that has the target in a process of its own, which may have to start."""
        for worker in self.workers:
            if worker.guarded:
                return worker
        worker = self.pool.start(guarded=True)
        self.workers.append(worker)
        if wait_until_loaded(self.pool, worker) is None:
            self.workers.remove(worker)
            raise TargetDeath("exit", "the worker ended while it loaded the target")
        return worker
