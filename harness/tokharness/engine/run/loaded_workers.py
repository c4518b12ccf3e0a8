"""The workers that have loaded a target: replace those that die, and call them.

A request whose worker was ended from outside goes to a fresh worker. What that one shows too is the
target's; everything else is counted in ``kills``.
"""

from __future__ import annotations

import time
from collections import deque
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tokharness.engine.run.outside_kills import MAX_KILLS, OutsideKills, WorkerLostError
from tokharness.errors import TargetDeath, TargetError
from tokharness.targets.processes.limits import LOAD_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokharness.engine.requests import Request
    from tokharness.engine.run.pool import Pool
    from tokharness.engine.run.worker_process import AnyWorker

__all__ = ["Loaded", "Workers"]

Loaded = tuple["AnyWorker", dict[str, Any]]
"""A worker and its response to the request to load the target."""

LOADS = 2
"""Workers that may be ended from outside while they load, one after another."""


class Workers:
    """Workers that have loaded the target, in their own process or guarded in another one.

    ``deaths`` says how workers died that could not load it.
    """

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.workers: list[AnyWorker] = []
        self.kills = OutsideKills(pool.spec)
        self.deaths: list[TargetDeath] = []

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

    def replace(self, worker: AnyWorker) -> list[AnyWorker]:
        """Kill a worker and start another one; return it, as :meth:`start` does."""
        self.drop(worker)
        return self.start()

    def start(self) -> list[AnyWorker]:
        """Start an unguarded worker; return it, or nothing if it dies while loading the target."""
        loaded = self.load(self.pool.start())
        return [loaded[0]] if loaded else []

    def load(self, worker: AnyWorker, begin: float | None = None) -> Loaded | None:
        """Wait until a worker that was started at ``begin`` has loaded the target; None if it dies.

        A worker that is ended from outside meanwhile is replaced.

        Raises:
            TargetError: loading takes longer than its limit.
            NoAnswerError: a guarded target answers none of the first texts.

        """
        kills: list[TargetDeath] = []
        begin = time.monotonic() if begin is None else begin
        while True:
            try:
                response = worker.receive()
            except TargetDeath as death:
                self.pool.kill(worker)
                self._check_time(death, time.monotonic() - begin)
                kills.append(death)
                if not death.is_external or len(kills) == LOADS:
                    self.deaths += kills
                    return None
                worker, begin = self.pool.start(guarded=worker.guarded), time.monotonic()
            else:
                worker.reset_memory_limit()
                self.workers.append(worker)
                self.kills.add(kills)
                return worker, response

    def _check_time(self, death: TargetDeath, seconds: float) -> None:
        """Raise TargetError unless it was the first text that exceeded its time limit."""
        if death.reason == "time limit" and seconds >= LOAD_SECONDS:
            raise TargetError(
                f"{self.pool.spec} is not loaded within {LOAD_SECONDS:.0f} seconds"
            ) from death

    def load_guarded(self) -> Loaded:
        """Start the guarded worker; raises as :meth:`guarded_worker` does."""
        # If the first text hangs, it need not hang twice.
        cold = any(death.reason == "time limit" for death in self.deaths)
        loaded = self.load(self.pool.start(guarded=True, cold=cold))
        if loaded is None:
            raise WorkerLostError(f"its worker ended with {self.deaths[-1]} while it was loaded")
        return loaded

    def guarded_worker(self) -> AnyWorker:
        """Return the guarded worker; start it if there is none.

        Raises:
            WorkerLostError: the worker died while it loaded the target.
            NoAnswerError: the target answers none of the first texts.

        """
        for worker in self.workers:
            if worker.guarded:
                return worker
        return self.load_guarded()[0]

    def call_guarded(self, request: Request) -> dict[str, Any]:
        """Return the response of the guarded worker.

        Raises:
            TargetDeath: the process of the target died, twice if it may have been ended from
                outside; or the worker died.
            WorkerLostError: workers were ended from outside too often.

        """
        kills: list[TargetDeath] = []
        while True:
            worker = self.guarded_worker()
            try:
                response = worker.call(request)
            except KeyboardInterrupt:  # its response would be taken for that of the next request
                self.drop(worker)
                raise
            except TargetDeath as death:
                if worker.death is not None or death.is_external:
                    self.drop(worker)
                if worker.death is not None and death.reason == "time limit":
                    # The target has a process of its own, with a time limit of its own.
                    raise WorkerLostError("our own code took too long for it") from None
                if not death.is_external or (worker.death is None and kills):
                    raise
                kills.append(death)
                if self.kills.total + len(kills) >= MAX_KILLS:
                    self.kills.add(kills)
                    self.kills.incomplete = True
                    raise WorkerLostError(
                        f"workers were ended from outside ({self.kills.signals}) "
                        f"{self.kills.total} times"
                    ) from None
            else:
                self.kills.add(kills)
                return response

    def shown_again(self, request: Request, kills: Sequence[TargetDeath]) -> TargetDeath | None:
        """Return how a request kills one more unguarded worker; None if it does not.

        The first workers were perhaps ended from outside, since the guarded worker responds. If it
        is not shown again, these ``kills`` are counted.
        """
        for worker in self.start():
            try:
                worker.call(request)
            except TargetDeath as death:
                return death
            finally:
                self.drop(worker)
        self.kills.add(kills)
        return None

    def call_unguarded(
        self,
        requests: Mapping[str, Request],
        responses: dict[str, dict[str, Any]],
        together: Mapping[str, str] = MappingProxyType({}),
    ) -> dict[str, list[TargetDeath]]:
        """Add the responses of the unguarded workers, by the names of the requests.

        Requests of one group, by the name of each in ``together``, go to one worker, which computes
        once what they share. There is no response to a request that killed its worker, twice if the
        worker may have been ended from outside. Return these deaths.
        """
        waiting = _queues(requests, together)
        if waiting and not self.workers:  # all were busy at an interrupt
            self.start()
        idle = self.unguarded
        busy: dict[AnyWorker, deque[str]] = {}
        deaths: dict[str, list[TargetDeath]] = {}
        try:
            while (waiting and idle) or busy:
                while waiting and idle:
                    worker = idle.pop()
                    busy[worker] = waiting.popleft()
                    worker.send(requests[busy[worker][0]])
                worker = self.pool.next_ready(list(busy))
                queue = busy[worker]
                name = queue[0]
                try:
                    responses[name] = worker.receive()
                except TargetDeath as death:
                    del busy[worker]
                    self.drop(worker)
                    of_request = deaths.setdefault(name, [])
                    of_request.append(death)
                    if death.is_external and len(of_request) == 1:
                        idle += self.start()
                    else:
                        queue.popleft()
                    if queue:
                        waiting.append(queue)
                else:
                    self.kills.add(deaths.pop(name, ()))
                    queue.popleft()
                    if queue:
                        worker.send(requests[queue[0]])
                    else:
                        del busy[worker]
                        idle.append(worker)
        except KeyboardInterrupt:
            self.drop_busy(busy)
            raise
        return deaths


def _queues(requests: Iterable[str], together: Mapping[str, str]) -> deque[deque[str]]:
    """Return the names of requests, those of a group in one queue at the place of the first."""
    queues: dict[tuple[str, bool], deque[str]] = {}
    for name in requests:
        queues.setdefault((together.get(name, name), name in together), deque()).append(name)
    return deque(queues.values())
