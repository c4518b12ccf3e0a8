"""Run shards in the worker processes of one machine.

A shard that kills its worker runs again in a guarded worker, where the target has a process of its
own: there the document that does it costs that document only. If that worker ends, too, a file does
it: pyarrow ends the process for some files that are not whole, and each is then read alone.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tokharness.checks import crashes_or_hangs
from tokharness.engine.requests import ShardRequest
from tokharness.engine.run.death_findings import WorkerLostError
from tokharness.errors import TargetDeath
from tokharness.scanning.record import FAILING, PLACES, Record, add_into, merge, record_of
from tokharness.targets.processes.crashers import LIMIT, LOST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.engine.run.pool import AnyWorker
    from tokharness.scanning.plan import Part, Settings, Shard

MAX_DEATHS = 4
"""Workers that die, after which all further shards run guarded: each death costs a worker."""

LARGE_WORKER = 150_000_000
"""Bytes of a worker above which only one worker diagnoses documents."""

COLUMNAR = ("parquet", "arrow")
"""Formats that a library in another language reads."""


@dataclass(frozen=True, slots=True)
class ShardResult:
    """The response to a shard, or why there is none.

    ``death`` is how its first worker died, and ``unread`` says what a store did not give.
    """

    shard: Shard
    response: dict[str, Any] | None
    death: TargetDeath | None = None
    unread: str = ""


def request_of_shard(shard: Shard, settings: Settings) -> ShardRequest:
    """Return the request for a shard."""
    return ShardRequest(shard.plain(), settings.plain())


def end_large_workers(workers: Workers) -> None:
    """End large idle workers but one: a diagnosis takes more memory, which is that of the scan."""
    for worker in workers.unguarded[1:]:
        if worker.memory > LARGE_WORKER:
            workers.drop(worker)


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
            yield _result(self._busy.pop(worker), response)
        guarded.extend(waiting)  # no worker is left for them
        for shard in sorted(guarded, key=lambda one: one.number):
            yield self._guarded(shard)

    def _guarded(self, shard: Shard) -> ShardResult:
        death = self._deaths.get(shard.number)
        try:
            return _result(shard, self._response(shard), death)
        except WorkerLostError as lost:
            return ShardResult(shard, None, lost)
        except TargetDeath as again:
            if not any(part.source.format in COLUMNAR for part in shard.parts):
                return ShardResult(shard, None, again)
        return self._file_by_file(shard)

    def _response(self, shard: Shard) -> dict[str, Any]:
        return self._workers.call_guarded(request_of_shard(shard, self._settings))

    def _file_by_file(self, shard: Shard) -> ShardResult:
        """Return the sum of the files of a shard, of which those that end the worker are bad."""
        responses = []
        for part in shard.parts:
            try:
                responses.append(self._response(replace(shard, parts=(part,))))
            except TargetDeath as death:
                if part.source.format not in COLUMNAR or isinstance(death, WorkerLostError):
                    return ShardResult(shard, None, death)
                responses.append(_unreadable(part, death))
        if unread := next(filter(None, (one["unread"] for one in responses)), ""):
            return ShardResult(shard, None, unread=unread)
        whole = merge(map(record_of, responses)).plain()
        crashers = [row for one in responses for row in one["crashers"]]
        seconds = sum(one["seconds"] for one in responses)
        is_whole = all(one["is_whole"] for one in responses)
        whole |= {"crashers": crashers, "seconds": seconds, "is_whole": is_whole, "unread": ""}
        return ShardResult(shard, whole)

    def interrupt(self) -> Iterator[ShardResult]:
        """Ask the busy workers to stop; yield what they have finished, and kill the others."""
        for worker, response in self._workers.responses_of_rest(self._busy):
            shard = self._busy.pop(worker)
            if response.get("is_whole"):
                yield _result(shard, response)
        self._workers.drop_busy(self._busy)
        self._busy.clear()


def _result(
    shard: Shard, response: dict[str, Any], death: TargetDeath | None = None
) -> ShardResult:
    """Return the result of a shard; what a store did not give may be read by another scan."""
    if response["unread"]:
        return ShardResult(shard, None, unread=response["unread"])
    return ShardResult(shard, response, death)


def _unreadable(part: Part, death: TargetDeath) -> dict[str, Any]:
    """Return the response for a file that ends the process which reads it."""
    record = Record()
    reason = f"cannot be read: the process that reads it ends with {death.reason}"
    record.add("bad", reason, 1)
    record.put(f"{PLACES}bad {reason}", [[part.source.name, 0, 1]])
    return {**record.plain(), "crashers": [], "seconds": 0.0, "is_whole": True, "unread": ""}


if TYPE_CHECKING:
    from tokharness.engine.requests import CrasherRows
    from tokharness.scanning.plan import Shard

CORPUS = "corpus"
"""The name of the documents in the place of a family."""

MOST_CRASHERS = 200


class Totals:
    """The merged results of shards, in the form that a diagnosis takes."""

    def __init__(self) -> None:
        self.record = Record()
        self.seconds = 0.0
        self.crashers: CrasherRows = ()
        self.unexplained_deaths: list[tuple[str, str]] = []
        self.lost: list[tuple[Shard, str]] = []
        self.finished = 0

    def add(self, result: ShardResult) -> None:
        """Add the result of a shard."""
        response, death = result.response, result.death
        if response is None:
            reason = f"our own process ended with {death} while it read them"
            self.lost.append((result.shard, result.unread or reason))
            return
        self.finished += 1
        self.seconds += response["seconds"]
        record = record_of(response)
        add_into(self.record, record)
        deaths = [row for row in response["crashers"] if row[0] not in (LIMIT, LOST) and row[2]]
        # In an order that does not depend on which shard is finished first.
        self.crashers = sorted([*self.crashers, *deaths], key=repr)[:MOST_CRASHERS]
        explained = record.value("failing", crashes_or_hangs.CODE) or record.value(
            "total", "left_out"
        )
        if death is not None and not explained and death.reason not in ("time limit", "SIGINT"):
            self.unexplained_deaths.append((CORPUS, str(death)))

    @property
    def failing(self) -> dict[str, dict[str, str]]:
        """Failing documents to diagnose, with the file of each, by the code of the check."""
        return {
            name.removeprefix(FAILING): {row[-1]: CORPUS for row in rows}
            for name, rows in sorted(self.record.samples.items())
            if name.startswith(FAILING) and rows
        }

    @property
    def has_crashers(self) -> bool:
        """Whether a document is known that crashes or hangs the target."""
        return bool(self.crashers) or bool(self.failing.get(crashes_or_hangs.CODE))
