"""The workers of a target: start them, give each a question, wait for the next answer."""

from __future__ import annotations

import os
import selectors
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Self

from tokharness.engine.worker.dispatch import Worker
from tokharness.errors import InternalError, TargetDeath, TokharnessError
from tokharness.targets.processes.json_lines import from_line, to_line
from tokharness.targets.processes.line_process import LineProcess

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.config import Options

__all__ = ["Pool", "WorkerProcess", "automatic_jobs"]

MOST_AUTOMATIC = 8
"""Each worker loads the target, which costs more than the share of the work it would take over."""

LOOK_AFTER = 5.0
"""Seconds without an answer after which the workers are looked at."""

ARGV = (sys.executable, "-P", "-m", "tokharness.engine.worker.dispatch")


def automatic_jobs() -> int:
    """How many workers to start when nobody says: one a usable core, and no more than pay."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(cores or 1, MOST_AUTOMATIC)


class WorkerProcess:
    """A worker in a process of its own, and the question it has."""

    def __init__(self, memory: int) -> None:
        self._process = LineProcess(ARGV, memory=memory, ours=True)
        self.fd = self._process.fd
        self.guarded = False
        self.death: TargetDeath | None = None

    def send(self, question: dict[str, Any]) -> None:
        """Ask, and do not wait; that it has ended is told when it is to answer."""
        try:
            self._process.send(to_line(question))
        except TargetDeath as death:
            self.death = death

    def has_answer(self) -> bool:
        """Take in what has come; whether :meth:`receive` would wait no more."""
        return self._process.ended_or_has_line()

    def receive(self) -> dict[str, Any]:
        """Wait for the answer; raises TargetDeath if the worker ended."""
        if self.death is not None:
            raise self.death
        line = self._process.receive()
        try:
            answer = from_line(line)
        except ValueError:
            raise TargetDeath("nonsense", "the worker's answer is no JSON") from None
        return _right(answer)

    def renew_memory(self) -> None:
        """Count the limit of memory from now."""
        self._process.renew_memory()

    def kill_if_stopped(self) -> None:
        """End it if a target has stopped it."""
        self._process.kill_if_stopped()

    def kill(self) -> None:
        """End it, and what it has started."""
        self._process.kill()


class LocalWorker:
    """A worker within this process, for a debugger: nothing protects from what a target does."""

    fd = -1

    def __init__(self) -> None:
        self._worker = Worker(timed=False)
        self._answer: dict[str, Any] = {}
        self.guarded = False

    def send(self, question: dict[str, Any]) -> None:
        """Answer at once, and keep the answer."""
        # Through JSON, so that both kinds of worker give the same.
        plain = from_line(to_line(question))
        self._answer = from_line(to_line(self._worker.answer(plain)))

    def receive(self) -> dict[str, Any]:
        """Give the answer."""
        return _right(self._answer)

    def renew_memory(self) -> None:
        """Do nothing: this process has no limit."""

    def kill_if_stopped(self) -> None:
        """Do nothing: this process runs."""

    def kill(self) -> None:
        """End the processes that targets have of their own."""
        self._worker.close()


AnyWorker = WorkerProcess | LocalWorker


class Pool:
    """Workers for one target; leaving the context ends them all."""

    def __init__(self, spec: str, options: Options, jobs: int) -> None:
        self.spec, self._options, self.jobs = spec, options, jobs
        self._all: list[AnyWorker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in list(self._all):
            self.end(worker)

    def start(self, *, guarded: bool = False) -> AnyWorker:
        """Start a worker that loads the target; its first answer says what that is."""
        memory = self._options.memory_limit
        worker = WorkerProcess(memory) if self.jobs else LocalWorker()
        self._all.append(worker)
        worker.guarded = guarded
        arguments = {"spec": self.spec, "options": asdict(self._options), "path": sys.path}
        worker.send({"op": "load", **arguments, "guarded": guarded})
        return worker

    def end(self, worker: AnyWorker) -> None:
        """End a worker."""
        worker.kill()
        self._all.remove(worker)

    @staticmethod
    def next_ready(busy: Sequence[AnyWorker]) -> AnyWorker:
        """Wait until one of the workers has an answer, or has ended."""
        for worker in busy:
            if isinstance(worker, LocalWorker) or worker.death is not None:
                return worker
        with selectors.DefaultSelector() as selector:
            for worker in busy:
                selector.register(worker.fd, selectors.EVENT_READ, worker)
            while True:
                ready = selector.select(LOOK_AFTER)
                for key, _ in ready:
                    if key.data.has_answer():
                        return key.data  # type: ignore[no-any-return]
                for worker in busy if not ready else ():
                    worker.kill_if_stopped()


def _right(answer: dict[str, Any]) -> dict[str, Any]:
    """Raise what an answer tells of."""
    if "error" in answer:
        raise TokharnessError(answer["error"])
    if "died" in answer:
        raise TargetDeath(answer["died"], answer["words"])
    if "internal" in answer:
        error = InternalError(answer["internal"])
        error.add_note(answer["traceback"])
        raise error
    return answer
