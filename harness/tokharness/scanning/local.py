"""Run shards in the worker processes of one machine.

A shard that kills its worker runs again in a guarded worker, where the target has a process of its
own: there the document that does it costs that document only.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.engine.requests import ShardRequest
from tokharness.engine.run.death_findings import WorkerLostError
from tokharness.errors import TargetDeath

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.engine.run.pool import AnyWorker
    from tokharness.scanning.plan import Settings, Shard

MAX_DEATHS = 4
"""Workers that die, after which all further shards run guarded: each death costs a worker."""


@dataclass(frozen=True, slots=True)
class ShardResult:
    """The response to a shard, or why there is none; ``death`` is how its first worker died."""

    shard: Shard
    response: dict[str, Any] | None
    death: TargetDeath | None = None


def request_of_shard(shard: Shard, settings: Settings) -> ShardRequest:
    """Return the request for a shard."""
    return ShardRequest(shard.plain(), settings.plain())


class LocalShards:
    """Runs shards on loaded workers, each at most once at a time."""

    def __init__(self, workers: Workers, settings: Settings) -> None:
        self._workers, self._settings = workers, settings
        self._busy: dict[AnyWorker, Shard] = {}
        self._deaths: dict[int, TargetDeath] = {}

    def results(self, shards: Iterable[Shard]) -> Iterator[ShardResult]:
        """Yield the result of each shard, as it is finished."""
        waiting = deque(shards)
        guarded: list[Shard] = []
        idle = self._workers.unguarded
        while True:
            while waiting and len(self._deaths) >= MAX_DEATHS:
                guarded.append(waiting.popleft())
            while waiting and idle:
                shard = waiting.popleft()
                worker = idle.pop()
                self._busy[worker] = shard
                worker.send(request_of_shard(shard, self._settings))
            if not self._busy:
                break
            worker = self._workers.pool.next_ready(list(self._busy))
            try:
                response = worker.receive()
            except TargetDeath as death:
                shard = self._busy.pop(worker)
                self._workers.drop(worker)
                self._deaths[shard.number] = death
                guarded.append(shard)
                if waiting and len(self._deaths) < MAX_DEATHS:
                    idle += self._workers.start()
                continue
            idle.append(worker)
            yield ShardResult(self._busy.pop(worker), response)
        guarded.extend(waiting)  # no worker is left for them
        for shard in sorted(guarded, key=lambda one: one.number):
            yield self._guarded(shard)

    def _guarded(self, shard: Shard) -> ShardResult:
        death = self._deaths.get(shard.number)
        try:
            response = self._workers.call_guarded(request_of_shard(shard, self._settings))
        except WorkerLostError as lost:
            return ShardResult(shard, None, lost)
        except TargetDeath as again:
            return ShardResult(shard, None, again)
        return ShardResult(shard, response, death)

    def interrupt(self) -> Iterator[ShardResult]:
        """Ask the busy workers to stop; yield what they have finished, and kill the others."""
        for worker, response in self._workers.responses_of_rest(self._busy):
            shard = self._busy.pop(worker)
            if response.get("is_whole"):
                yield ShardResult(shard, response)
        self._workers.drop_busy(self._busy)
        self._busy.clear()
