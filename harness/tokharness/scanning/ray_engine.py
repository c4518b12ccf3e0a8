"""Run shards on actors of Ray Data, on a cluster that exists or on this machine.

The worker of an actor calls the same function for a shard as the workers of
:mod:`tokharness.scanning.local`, with the same limits.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokharness.engine.run.on_ray import ActorWorkers, RayActors, result_of, row_of
from tokharness.errors import InternalError, TargetDeath, TokharnessError, restored
from tokharness.scanning.local import LocalShards, ShardResult
from tokharness.scanning.plan import Shard, parts_of, settings_of
from tokharness.scanning.shard import MODULE, OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.config import Options
    from tokharness.scanning.plan import Settings


class RayShards:
    """Runs shards on actors, ``jobs`` at most; None for one a processor of the cluster."""

    def __init__(
        self, spec: str, options: Options, settings: Settings, *, jobs: int | None
    ) -> None:
        self._target = {"spec": spec, "options": asdict(options), "settings": settings.plain()}
        self._actors = RayActors(ShardActor, jobs)

    def results(self, shards: Sequence[Shard]) -> Iterator[ShardResult]:
        """Yield the result of each shard, as it is finished."""
        rows = [{**self._target, "number": one.number, "parts": one.plain()} for one in shards]
        for place, content in self._actors.results(rows):
            yield _result(shards[place], content)

    def interrupt(self) -> Iterator[ShardResult]:
        """Yield nothing: Ray ends the tasks of a dataset that is no longer read."""
        return iter(())


class ShardActor:
    """An actor of Ray that runs shards."""

    def __init__(self) -> None:
        self._workers = ActorWorkers(module=MODULE, operations=OPERATIONS)

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[Any]]:
        """Run the shard of a batch of one row; an error of the user is a result, too."""
        row = row_of(batch)
        shard = Shard(row["number"], tuple(parts_of(row["parts"])))
        try:
            workers = self._workers.loaded(row["spec"], row["options"])
            (result,) = LocalShards(workers, settings_of(row["settings"])).results([shard])
        except (TokharnessError, InternalError) as error:
            return result_of(batch, {"error": type(error).__name__, "message": str(error)})
        death = result.death
        content = {
            "response": result.response,
            "death": None if death is None else [death.reason, death.detail],
            "unread": result.unread,
        }
        return result_of(batch, content)


def _result(shard: Shard, content: dict[str, Any]) -> ShardResult:
    if "error" in content:
        raise restored(content["error"], content["message"])
    death = None if content["death"] is None else TargetDeath(*content["death"])
    return ShardResult(shard, content["response"], death, content["unread"])
