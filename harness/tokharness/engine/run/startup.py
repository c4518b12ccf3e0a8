"""Start the workers of a target, and wait until they have loaded it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.events import TargetStarted
from tokharness.errors import TargetDeath, TargetError
from tokharness.model import Skip
from tokharness.targets.processes.limits import LOAD_SECONDS

if TYPE_CHECKING:
    from tokharness.engine.run.pool import Pool
    from tokharness.engine.run.worker_process import AnyWorker

__all__ = ["start_workers", "wait_until_loaded"]


def start_workers(pool: Pool) -> tuple[list[AnyWorker], TargetStarted, list[Skip]]:
    """Start the workers of a pool; return those that loaded the target, and what will be skipped.

    If the target kills every worker while its Unicode version is inferred, it is loaded in a
    process of its own.

    Raises:
        TargetError: the target kills its process while it is loaded, or takes too long.

    """
    workers = [pool.start() for _ in range(max(pool.jobs, 1))]
    loaded = [
        (worker, response)
        for worker in workers
        if (response := wait_until_loaded(pool, worker)) is not None
    ]
    if not loaded:
        guarded = pool.start(guarded=True)
        response = wait_until_loaded(pool, guarded)
        if response is None:
            raise TargetError(f"{pool.spec} ends its process while it is loaded")
        loaded = [(guarded, response)]
    response = loaded[0][1]
    skips = [Skip(pool.spec, what, reason) for what, reason in response.pop("skips")]
    for key in ("capabilities", "families", "checks"):
        response[key] = tuple(response[key])
    return [worker for worker, _ in loaded], TargetStarted(**response), skips


def wait_until_loaded(pool: Pool, worker: AnyWorker) -> dict[str, Any] | None:
    """Return the response to the request to load the target; None if the worker died.

    Raises:
        TargetError: loading takes too long.

    """
    try:
        response = worker.receive()
    except TargetDeath as death:
        pool.kill(worker)
        if death.reason == "time limit":
            raise TargetError(
                f"{pool.spec} is not loaded, or does not encode a first text, within "
                f"{LOAD_SECONDS:.0f} seconds"
            ) from death
        return None
    worker.reset_memory_limit()
    return response
