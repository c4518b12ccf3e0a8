"""Run units on actors of Ray Data, on a cluster that exists or on this machine.

Each actor has a worker of its own, which answers the same requests as a worker of
:mod:`tokharness.engine.run.pool`. Scheduling, retries and the movement of data are Ray's.
"""

from __future__ import annotations

import contextlib
import logging
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokharness.config import Options
from tokharness.engine.requests import request_of, request_record
from tokharness.engine.run.loaded_workers import start_workers
from tokharness.engine.run.pool import MODULE, Pool
from tokharness.errors import InternalError, TargetDeath, TokharnessError, UsageError
from tokharness.extras import what_installs
from tokharness.interrupts import interruptible
from tokharness.targets.processes.json_lines import from_line, to_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.engine.requests import UnitRequest
    from tokharness.engine.run.loaded_workers import Workers

# What a run of units and a scan share.


class RayActors:
    """Calls an actor of a class with rows of plain data, ``jobs`` actors at most.

    None stands for an actor for each processor of the cluster.

    Raises:
        UsageError: Ray is not installed, or there is no cluster at RAY_ADDRESS.

    """

    def __init__(self, actor: type, jobs: int | None) -> None:
        self._actor, self._jobs = actor, jobs
        self._data = _ray_data()

    def results(
        self, rows: Sequence[Mapping[str, Any]], tasks: int | None = None
    ) -> Iterator[tuple[int, Any]]:
        """Yield the place of each row and its result, as Ray finishes them.

        An actor has so many ``tasks``, with rows that follow each other; None: each row is a task.
        Raises TokharnessError if Ray fails.
        """
        if not rows:
            return
        items = [{"place": at, "row": to_line(row)} for at, row in enumerate(rows)]
        actors = min(len(items), self._jobs or _processors())
        blocks = len(items) if tasks is None else min(len(items), tasks * actors)
        dataset = self._data.from_items(items, override_num_blocks=blocks).map_batches(
            self._actor,
            batch_size=1,
            concurrency=(1, actors) if actors > 1 else 1,
            num_cpus=1,
        )
        results = iter(dataset.iter_rows())
        while (result := _next(results)) is not None:
            yield int(result["place"]), from_line(result["result"])


def _next(rows: Iterator[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the next row, or None; an interrupt does not wait for it."""
    from ray.exceptions import RayError

    try:
        with interruptible():
            return next(rows, None)
    except RayError as error:
        words = str(error).splitlines() or [type(error).__name__]
        raise TokharnessError(
            f"Ray gave no further result: {words[0]}; look at the state of the cluster"
        ) from error


def row_of(batch: Mapping[str, Any]) -> Any:
    """Return the row of a batch of one row, within an actor."""
    return from_line(bytes(batch["row"][0]))


def result_of(batch: Mapping[str, Any], result: Any) -> dict[str, list[Any]]:
    """Return what an actor returns for the row of a batch."""
    return {"place": [int(batch["place"][0])], "result": [to_line(result)]}


class ActorWorkers:
    """The workers of an actor: one worker has loaded the target.

    ``program`` has further arguments of :class:`~tokharness.engine.run.pool.Pool`.
    """

    def __init__(self, **program: Any) -> None:
        self._program = program
        self._pool: Pool | None = None
        self._workers: Workers | None = None

    def loaded(self, spec: str, options: Mapping[str, Any]) -> Workers:
        """Return the workers; the first call starts them, and a later one replaces a lost worker.

        An actor that restarts on another node has no arguments of the first one, so that each call
        has them.
        """
        if self._pool is None:
            lists: dict[str, Any] = {
                key: tuple(value) if isinstance(value, list) else value
                for key, value in options.items()
            }
            self._pool = Pool(spec, Options(**lists), 1, **self._program)
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


# The units of the families of a target.


TASKS = 8
"""Tasks of an actor. A task costs Ray some tenths of a second; the units of a family, which share
its texts, follow each other."""


class RayUnits:
    """Runs units on actors, ``jobs`` at most; None for one a processor of the cluster."""

    def __init__(self, spec: str, options: Options, jobs: int | None) -> None:
        self._target = {"spec": spec, "options": asdict(options)}
        self._actors = RayActors(UnitActor, jobs)

    def __call__(
        self, requests: Sequence[UnitRequest]
    ) -> Iterator[tuple[int, dict[str, Any] | None]]:
        """Yield the place of each request and its response; None if its worker gave none."""
        return self._actors.results(
            [{**self._target, "request": request_record(one)} for one in requests], TASKS
        )


class UnitActor:
    """An actor of Ray that runs units.

    Why a unit has no response is not said: the command runs this unit itself, as if no worker had
    seen it, and finds out whether a text ends the target.
    """

    def __init__(self) -> None:
        self._workers = ActorWorkers(module=MODULE)

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[Any]]:
        """Run the unit of a batch of one row."""
        row = row_of(batch)
        response = None
        with contextlib.suppress(TokharnessError, InternalError):
            workers = self._workers.loaded(row["spec"], row["options"])
            for worker in workers.unguarded[:1]:
                worker.send(request_of(row["request"]))
                try:
                    response = worker.receive()
                except TargetDeath:
                    workers.drop(worker)
        return result_of(batch, response)
