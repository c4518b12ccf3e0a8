"""Start the workers of a target, and hear from them what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.engine.events import TargetStarted
from tokharness.errors import TargetDeath, TargetError
from tokharness.model import Skip
from tokharness.targets.processes.limits import LOAD_SECONDS

if TYPE_CHECKING:
    from tokharness.engine.run.pool import AnyWorker, Pool

__all__ = ["wait_until_loaded", "start_workers"]


def start_workers(pool: Pool) -> tuple[list[AnyWorker], TargetStarted, list[Skip]]:
    """Start as many workers as the pool may have; give them, what the target is, and skips.

    A target that ends its process while it is asked which Unicode version it has is loaded into
    one of its own.

    Raises:
        TargetError: the target ends its process while it is loaded, or takes too long.

    """
    workers = [pool.start() for _ in range(max(pool.jobs, 1))]
    ready = [(one, answer) for one in workers if (answer := wait_until_loaded(pool, one)) is not None]
    if not ready:
        guarded = pool.start(guarded=True)
        answer = wait_until_loaded(pool, guarded)
        if answer is None:
            raise TargetError(f"{pool.spec} ends its process while it is loaded")
        ready = [(guarded, answer)]
    answer = ready[0][1]
    skips = [Skip(pool.spec, what, reason) for what, reason in answer.pop("skips")]
    for key in ("capabilities", "families", "checks"):
        answer[key] = tuple(answer[key])
    return [worker for worker, _ in ready], TargetStarted(**answer), skips


def wait_until_loaded(pool: Pool, worker: AnyWorker) -> dict[str, Any] | None:
    """Wait until a worker has loaded the target; None, and its end, if it died of that.

    Raises:
        TargetError: the target takes too long to load; it would again.

    """
    try:
        answer = worker.receive()
    except TargetDeath as death:
        pool.end(worker)
        if death.how == "time limit":
            raise TargetError(
                f"{pool.spec} is not loaded, or does not encode a first text, within "
                f"{LOAD_SECONDS:.0f} seconds"
            ) from death
        return None
    worker.renew_memory()
    return answer
