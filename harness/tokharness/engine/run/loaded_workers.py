"""The workers that have loaded a target: replace a worker that dies, and call them.

A request whose worker may have been ended from outside goes to a fresh worker. If the fresh worker
dies too, the death is the target's; otherwise it is counted in ``kills``.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections import deque
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tokharness.config import PROFILES
from tokharness.engine.events import Event, SkipRecorded, TargetStarted
from tokharness.engine.responses import SLOW_SECONDS, slow_target
from tokharness.engine.run.death_findings import MAX_KILLS, OutsideKills, WorkerLostError
from tokharness.engine.run.pool import LocalWorker
from tokharness.errors import InternalError, TargetDeath, TargetError, TokharnessError
from tokharness.model import Skip
from tokharness.targets.processes.deadlines import LOAD_LIMIT, crowding

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from tokharness.engine.requests import Request
    from tokharness.engine.run.pool import AnyWorker, Pool

Loaded = tuple["AnyWorker", dict[str, Any]]
"""A worker and its response to the request to load the target."""

WORKERS_AT_LIMIT = 2
"""All workers together may take the memory of this many workers that are nearly too large."""

REST_SECONDS = 1.0
"""Seconds after an interrupt in which a busy worker may respond, more on a busy machine."""

LOADS = 2
"""Most workers that may be ended from outside, one after another, while they load."""


class Workers:
    """Workers that have loaded the target, in their own process or guarded in another one.

    ``deaths`` has the deaths of workers that could not load the target. The target ``is_slow`` if
    it takes ten times as long for a text as usual targets.
    """

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.workers: list[AnyWorker] = []
        self.kills = OutsideKills(pool.spec)
        self.deaths: list[TargetDeath] = []
        self.is_slow = False

    @property
    def has_fast_target(self) -> bool:
        """Whether neither a slow target nor the user's time limit can explain a lack of time."""
        return not self.is_slow and self.pool.options.run_limit is None

    @property
    def unguarded(self) -> list[AnyWorker]:
        """Workers that have the target in their own process."""
        return [worker for worker in self.workers if not worker.guarded]

    def drop(self, worker: AnyWorker) -> None:
        """Kill a worker."""
        self.pool.kill(worker)
        self.workers.remove(worker)

    def drop_busy(self, busy: Iterable[AnyWorker]) -> None:
        """Kill the busy workers after an interrupt, since their responses are not needed.

        A worker within this process was interrupted itself, and is no longer busy.
        """
        for worker in busy:
            if not isinstance(worker, LocalWorker):
                self.drop(worker)

    def replace(self, worker: AnyWorker) -> list[AnyWorker]:
        """Kill a worker and start another one; return it, as :meth:`start` does."""
        self.drop(worker)
        return self.start()

    def start(self) -> list[AnyWorker]:
        """Start an unguarded worker; return it, or nothing if it dies while loading the target."""
        loaded = self.load(self.pool.start())
        return [loaded[0]] if loaded else []

    def load(self, worker: AnyWorker) -> Loaded | None:
        """Wait until a worker has loaded the target; None if it dies.

        A worker that is ended from outside meanwhile is replaced.

        Raises:
            TargetError: loading takes longer than its limit.
            NoAnswerError: a guarded target answers none of the first texts.

        """
        kills: list[TargetDeath] = []
        while True:
            try:
                response = worker.receive()
            except TargetDeath as death:
                self.pool.load_left = min(self.pool.load_left, worker.load_left)
                self.pool.kill(worker)
                if death.reason == LOAD_LIMIT:
                    raise TargetError(
                        f"{self.pool.spec} is not loaded within {self.pool.options.load_limit:g} "
                        "seconds; --load-limit SECONDS allows more"
                    ) from death
                kills.append(death)
                if not death.is_external or len(kills) == LOADS:
                    self.deaths += kills
                    return None
                worker = self.pool.start(guarded=worker.guarded)
            else:
                worker.reset_memory_limit()
                self.workers.append(worker)
                self.kills.add(kills)
                return worker, response

    @property
    def is_large(self) -> bool:
        """Whether a worker takes so much memory that the profile allows only one worker."""
        limit, sizes = self._memory
        return max(sizes, default=0) > limit

    @property
    def _memory(self) -> tuple[float, list[int]]:
        """The memory above which only one worker may run, and the memory of each worker."""
        limit = PROFILES[self.pool.options.profile].worker_memory
        sizes = [0] if limit is None else [worker.memory for worker in self.pool.workers]
        return limit or math.inf, sizes

    @property
    def too_many(self) -> int:
        """Number of workers to end: all but one if a worker is large, or all beyond two limits."""
        limit, sizes = self._memory
        if max(sizes, default=0) > limit:
            return len(sizes) - 1
        kept = sum(total <= WORKERS_AT_LIMIT * limit for total in accumulate(sizes))
        return max(len(sizes) - max(kept, 1), 0)

    def make_room(self) -> None:
        """Kill large, idle unguarded workers before a guarded worker starts."""
        if self.is_large:
            for worker in self.unguarded:
                self.drop(worker)

    def has_time_for_guarded(self) -> bool:
        """Whether there is a guarded worker, or time to load the target in one."""
        left, loading = self.pool.time.left(), self.pool.time.loading
        return any(worker.guarded for worker in self.workers) or left > loading

    def load_guarded(self) -> Loaded:
        """Start the guarded worker; raises as :meth:`guarded_worker` does."""
        # If the first text hangs, it need not hang twice.
        cold = any(death.reason == "time limit" for death in self.deaths)
        loaded = self.load(self.pool.start(guarded=True, cold=cold))
        if loaded is None:
            last = self.deaths[-1]
            why = f"its worker ended with {last} while it was loaded"
            if last.reason == "memory limit":
                why = f"memory does not suffice to load it: {last.detail}; raise --memory-limit"
            raise WorkerLostError(why)
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
            except KeyboardInterrupt:
                if not list(self.responses_of_rest([worker])):
                    self.drop_busy([worker])  # its response would be taken for the next one
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

        The first workers may have been ended from outside, since the guarded worker responds. If
        the request does not kill this worker, the ``kills`` are counted.
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
        limited: Callable[[Request], Request | None] = lambda request: request,
    ) -> dict[str, list[TargetDeath]]:
        """Add the responses of the unguarded workers, by the names of the requests.

        ``together`` has the group of each request, by name. All requests of a group go to the same
        worker, which computes their common parts only once. A request that killed its worker has no
        response; if the worker may have been ended from outside, the request is sent twice. Return
        the deaths. ``limited`` is called when a request is sent, and returns the request to send,
        or None not to send it.
        """
        waiting = _queues(requests, together)
        if waiting and not self.workers:  # all were busy at an interrupt
            self.start()
        idle = self.unguarded
        busy: dict[AnyWorker, deque[str]] = {}
        deaths: dict[str, list[TargetDeath]] = {}
        try:
            while (waiting and idle) or busy:
                _send(waiting, idle, busy, lambda name: limited(requests[name]))
                if not busy:
                    break
                worker = self.pool.next_ready(list(busy))
                queue = busy.pop(worker)
                name = queue[0]
                try:
                    responses[name] = worker.receive()
                except TargetDeath as death:
                    self.drop(worker)
                    deaths.setdefault(name, []).append(death)
                    waiting.append(queue)
                    if death.is_external and len(deaths[name]) == 1:
                        idle += self.start()
                    else:
                        queue.popleft()
                else:
                    self.kills.add(deaths.pop(name, ()))
                    queue.popleft()
                    waiting.appendleft(queue)  # for the same worker
                    idle.append(worker)
        except KeyboardInterrupt:
            for worker, response in self.responses_of_rest(busy):
                responses[busy.pop(worker)[0]] = response
            self.drop_busy(busy)
            raise
        return deaths

    def responses_of_rest(
        self, busy: Collection[AnyWorker]
    ) -> Iterator[tuple[AnyWorker, dict[str, Any]]]:
        """Ask busy workers to stop; yield each that responds within ``REST_SECONDS``.

        A worker that dies meanwhile is not yielded.
        """
        waiting: set[AnyWorker] = {one for one in busy if not isinstance(one, LocalWorker)}
        last = self.pool.interrupt_at
        for worker in waiting:
            worker.ask_to_stop()
        self.pool.interrupt_at = time.monotonic() + REST_SECONDS * crowding(2.0)
        with contextlib.suppress(KeyboardInterrupt, TokharnessError, InternalError):
            while waiting:
                worker = self.pool.next_ready(list(waiting))
                waiting.remove(worker)
                with contextlib.suppress(TargetDeath):
                    yield worker, worker.receive()
        self.pool.interrupt_at = last


def _send(
    waiting: deque[deque[str]],
    idle: list[AnyWorker],
    busy: dict[AnyWorker, deque[str]],
    limited: Callable[[str], Request | None],
) -> None:
    """Send the first request of each waiting queue to an idle worker, if time is left for it."""
    while waiting and idle:
        queue = waiting.popleft()
        while queue:
            if (request := limited(queue[0])) is not None:
                worker = idle.pop()
                worker.send(request)
                busy[worker] = queue
                break
            queue.popleft()


def _queues(requests: Iterable[str], together: Mapping[str, str]) -> deque[deque[str]]:
    """Return queues of request names; a group's requests share the queue of its first request."""
    queues: dict[tuple[str, bool], deque[str]] = {}
    for name in requests:
        queues.setdefault((together.get(name, name), name in together), deque()).append(name)
    return deque(queues.values())


# Start the workers of a target, and wait until they have loaded it.


def start_workers(pool: Pool) -> tuple[Workers, TargetStarted, list[Event]]:
    """Start the workers of a pool; return them, and the first events: what is skipped, and if slow.

    If the target kills every worker at its first text, or while its Unicode version is inferred, it
    is loaded in a process of its own.

    Raises:
        TargetError: the target kills its process while it is loaded, or takes too long.
        NoAnswerError: it answers none of the first texts.
        NotLoadedError: the target exists and fails while it is loaded.

    """
    workers = Workers(pool)
    started = [pool.start() for _ in range(max(pool.jobs, 1))]
    loaded = _load_all(workers, started)
    try:
        _, response = loaded[0] if loaded else workers.load_guarded()
    except WorkerLostError as error:
        raise TargetError(f"{pool.spec} cannot be loaded: {error.detail}") from error
    skips = [Skip(pool.spec, what, reason) for what, reason in response.pop("skips")]
    if reason := response.pop("unfinished"):
        reason = f"memory does not suffice to load it: {reason}; raise --memory-limit"
        skips.append(Skip(pool.spec, "the reference", reason, unfinished=True))
    texts, seconds = response.pop("texts"), response.pop("text_seconds")
    workers.is_slow = seconds >= SLOW_SECONDS
    slow = slow_target(pool.spec, texts, seconds, len(workers.workers))
    events: list[Event] = [*map(SkipRecorded, skips), *([slow] if slow else [])]
    for key in ("capabilities", "families", "checks"):
        response[key] = tuple(response[key])
    start = TargetStarted(**response)
    pool.watch_files(start.against or "")
    return workers, start, events


def _load_all(workers: Workers, started: list[AnyWorker]) -> list[Loaded]:
    """Wait until all workers have loaded the target; keep few if they take much memory.

    Several workers with a large file would take more memory than a quick run may use, and more
    processor time than a single worker.
    """
    pool, loaded = workers.pool, []

    def keep_few() -> None:
        for worker in pool.workers[len(pool.workers) - workers.too_many :]:
            if worker in started:
                started.remove(worker)
                pool.kill(worker)
            elif worker in workers.unguarded:
                workers.drop(worker)

    pool.watch = keep_few
    while started:
        if (one := workers.load(started.pop(0))) is not None:
            loaded.append(one)
    pool.watch = None
    keep_few()
    return loaded
