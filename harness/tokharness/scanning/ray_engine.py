"""Run shards with Ray Data, on a cluster that exists or on this machine.

Each actor has one worker of :mod:`tokharness.scanning.local`, which calls the same function for a
shard, with the same limits. Scheduling, retries and the movement of data are Ray's.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokharness.config import Options
from tokharness.engine.run.loaded_workers import start_workers
from tokharness.engine.run.pool import Pool
from tokharness.errors import InternalError, TargetDeath, TokharnessError, UsageError, restored
from tokharness.extras import what_installs
from tokharness.interrupts import interruptible
from tokharness.scanning.local import LocalShards, ShardResult
from tokharness.scanning.plan import Shard, parts_of, settings_of
from tokharness.scanning.worker import MODULE, OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.scanning.plan import Settings


class RayShards:
    """Runs shards on actors, ``jobs`` at most; None for one a processor of the cluster."""

    def __init__(
        self, spec: str, options: Options, settings: Settings, *, jobs: int | None
    ) -> None:
        self._arguments = {
            "spec": spec,
            "options": asdict(options),
            "settings": settings.plain(),
        }
        self._jobs = jobs
        self._data = _ray_data()

    def results(self, shards: Sequence[Shard]) -> Iterator[ShardResult]:
        """Yield the result of each shard, as it is finished."""
        if not shards:
            return
        by_number = {shard.number: shard for shard in shards}
        # An actor that restarts on another node has no arguments of the first one.
        rows = [
            {"number": one.number, "shard": json.dumps({**self._arguments, "parts": one.plain()})}
            for one in shards
        ]
        actors = min(len(shards), self._jobs or _processors())
        dataset = self._data.from_items(rows, override_num_blocks=len(rows)).map_batches(
            ShardActor,
            batch_size=1,
            concurrency=(1, actors) if actors > 1 else 1,
            num_cpus=1,
        )
        rows_of_results = iter(dataset.iter_rows())
        while (row := _next(rows_of_results)) is not None:
            yield _result(by_number[int(row["number"])], json.loads(row["result"]))

    def interrupt(self) -> Iterator[ShardResult]:
        """Yield nothing: Ray ends the tasks of a dataset that is no longer read."""
        return iter(())


def _next(rows: Iterator[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the next row, or None; an interrupt does not wait for it."""
    with interruptible():
        return next(rows, None)


class ShardActor:
    """An actor of Ray: one worker that has loaded the target."""

    def __init__(self) -> None:
        self._pool: Pool | None = None
        self._workers: Any = None

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[Any]]:
        """Run the shard of a batch of one row; an error of the user is a result, too."""
        number, record = int(batch["number"][0]), json.loads(str(batch["shard"][0]))
        shard = Shard(number, tuple(parts_of(record["parts"])))
        try:
            workers = self._loaded(record["spec"], record["options"])
            (result,) = LocalShards(workers, settings_of(record["settings"])).results([shard])
        except (TokharnessError, InternalError) as error:
            content: dict[str, Any] = {"error": type(error).__name__, "message": str(error)}
        else:
            death = result.death
            content = {
                "response": result.response,
                "death": None if death is None else [death.reason, death.detail],
                "unread": result.unread,
            }
        return {"number": [number], "result": [json.dumps(content)]}

    def _loaded(self, spec: str, options: dict[str, Any]) -> Any:
        """Return the workers of this actor, one of which has loaded the target."""
        if self._pool is None:
            lists: dict[str, Any] = {
                key: tuple(value) if isinstance(value, list) else value
                for key, value in options.items()
            }
            self._pool = Pool(spec, Options(**lists), 1, module=MODULE, operations=OPERATIONS)
        if self._workers is None:
            self._workers, _, _ = start_workers(self._pool)
        elif not self._workers.unguarded:
            self._workers.start()
        return self._workers

    def __del__(self) -> None:
        """End the processes of the worker."""
        with contextlib.suppress(Exception):
            if self._pool is not None:
                self._pool.__exit__(None, None, None)


def _result(shard: Shard, content: dict[str, Any]) -> ShardResult:
    if "error" in content:
        raise restored(content["error"], content["message"])
    death = None if content["death"] is None else TargetDeath(*content["death"])
    return ShardResult(shard, content["response"], death, content["unread"])


def _ray_data() -> Any:
    """Return the module ``ray.data``, with Ray connected to RAY_ADDRESS or started here."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
        from ray import data
    except ImportError as error:
        raise UsageError(f"--engine ray needs Ray: {what_installs('ray')}") from error
    try:
        ray.init(
            # Without an address Ray takes any cluster of this machine, even if others started it.
            os.environ.get("RAY_ADDRESS") or "local",
            ignore_reinit_error=True,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise UsageError(f"cannot connect to Ray: {error}; check RAY_ADDRESS") from error
    context = data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    return data


def _processors() -> int:
    import ray

    resources = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return max(int(resources.get("CPU", 1)), 1)
