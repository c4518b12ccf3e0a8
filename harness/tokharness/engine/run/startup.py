"""Start the workers of a target, and wait until they have loaded it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.engine.events import Event, SkipRecorded, TargetStarted
from tokharness.engine.run.loaded_workers import Workers
from tokharness.engine.run.outside_kills import WorkerLostError
from tokharness.engine.slow_targets import SLOW_SECONDS, slow_target
from tokharness.errors import TargetError
from tokharness.model import Skip

if TYPE_CHECKING:
    from tokharness.engine.run.loaded_workers import Loaded
    from tokharness.engine.run.pool import Pool
    from tokharness.engine.run.worker_process import AnyWorker

__all__ = ["start_workers"]


def start_workers(pool: Pool) -> tuple[Workers, TargetStarted, list[Event]]:
    """Start the workers of a pool; return them, and the first events: what is skipped, and if slow.

    If the target kills every worker at its first text, or while its Unicode version is inferred, it
    is loaded in a process of its own.

    Raises:
        TargetError: the target kills its process while it is loaded, or takes too long.
        NoAnswerError: it answers none of the first texts.
        NotLoadedError: it is there and fails while it is loaded.

    """
    workers = Workers(pool)
    started = [pool.start() for _ in range(max(pool.jobs, 1))]
    loaded = _load_all(workers, started)
    try:
        _, response = loaded[0] if loaded else workers.load_guarded()
    except WorkerLostError as error:
        raise TargetError(f"{pool.spec} cannot be loaded: {error.detail}") from error
    skips = [Skip(pool.spec, what, reason) for what, reason in response.pop("skips")]
    texts, seconds = response.pop("texts"), response.pop("text_seconds")
    workers.is_slow = seconds >= SLOW_SECONDS
    slow = slow_target(pool.spec, texts, seconds, len(workers.workers))
    events: list[Event] = [*map(SkipRecorded, skips), *([slow] if slow else [])]
    for key in ("capabilities", "families", "checks"):
        response[key] = tuple(response[key])
    return workers, TargetStarted(**response), events


def _load_all(workers: Workers, started: list[AnyWorker]) -> list[Loaded]:
    """Wait until all workers have loaded the target; keep few if they take much memory.

    Several workers with a large file would take more memory than a quick run has, and more
    processor time than one does.
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
