"""The workers that have loaded a target: replace those that die, and call them."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from tokharness.engine.run.startup import wait_until_loaded
from tokharness.errors import TargetDeath

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokharness.engine.requests import Request
    from tokharness.engine.run.pool import Pool
    from tokharness.engine.run.worker_process import AnyWorker

__all__ = ["Workers"]


class Workers:
    """Workers that have loaded the target, in their own process or guarded in another one."""

    def __init__(self, pool: Pool, workers: list[AnyWorker]) -> None:
        self.pool, self.workers = pool, workers

    @property
    def unguarded(self) -> list[AnyWorker]:
        """Workers that have the target in their own process."""
        return [worker for worker in self.workers if not worker.guarded]

    def drop(self, worker: AnyWorker) -> None:
        """Kill a worker."""
        self.pool.kill(worker)
        self.workers.remove(worker)

    def drop_busy(self, busy: Iterable[AnyWorker]) -> None:
        """Kill the busy workers after an interrupt, since their responses are not needed."""
        for worker in busy:
            self.drop(worker)
        if not self.workers:
            self.start()

    def replace(self, worker: AnyWorker) -> list[AnyWorker]:
        """Kill a worker and start another one; return it, as :meth:`start` does."""
        self.drop(worker)
        return self.start()

    def start(self) -> list[AnyWorker]:
        """Start an unguarded worker; return it, or nothing if it dies while loading the target."""
        worker = self.pool.start()
        if wait_until_loaded(self.pool, worker) is None:
            return []
        self.workers.append(worker)
        return [worker]

    def guarded_worker(self) -> AnyWorker:
        """Return the guarded worker; start it if there is none.

        Raises:
            TargetDeath: the worker died while it loaded the target.

        """
        for worker in self.workers:
            if worker.guarded:
                return worker
        worker = self.pool.start(guarded=True)
        self.workers.append(worker)
        if wait_until_loaded(self.pool, worker) is None:
            self.workers.remove(worker)
            raise TargetDeath("exit", "the worker ended while it loaded the target")
        return worker

    def call_guarded(self, request: Request) -> dict[str, Any]:
        """Return the response of the guarded worker; raise TargetDeath if it dies."""
        return self.guarded_worker().call(request)

    def call_unguarded(self, requests: Mapping[str, Request]) -> dict[str, dict[str, Any]]:
        """Return the responses of the unguarded workers, by the names of the requests.

        There is no response to a request that killed its worker.
        """
        waiting = deque(requests.items())
        idle = self.unguarded
        busy: dict[AnyWorker, str] = {}
        responses = {}
        while (waiting and idle) or busy:
            while waiting and idle:
                worker = idle.pop()
                busy[worker], request = waiting.popleft()
                worker.send(request)
            worker = self.pool.next_ready(list(busy))
            name = busy.pop(worker)
            try:
                responses[name] = worker.receive()
                idle.append(worker)
            except TargetDeath:
                self.drop(worker)
        return responses
