"""The worker processes of one target: start them, wait for the next response, kill them."""

from __future__ import annotations

import math
import os
import selectors
import sys
import time
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from tokharness.engine.requests import LoadRequest, request_record
from tokharness.engine.responses import read_response
from tokharness.engine.run.processor_time import ProcessorTime
from tokharness.errors import TargetDeath
from tokharness.interrupts import interruptible
from tokharness.plugins.spec_paths import changed_path, identities_of
from tokharness.targets.processes.json_lines import from_line, to_line
from tokharness.targets.processes.leftovers import Guard
from tokharness.targets.processes.limits import require_memory, resident_memory
from tokharness.targets.processes.line_process import LOOK_SECONDS, LineProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tokharness.config import Options
    from tokharness.engine.requests import Request
    from tokharness.engine.worker.main import Operation

# A worker as seen by the command: in a process of its own, or within the command's process.

MODULE = "tokharness.engine.worker.main"
"""The program of a worker."""


class WorkerProcess:
    """A worker in a process of its own, which has at most one request at a time.

    Its first request loads the target, within ``load_seconds``. The target of a ``guarded`` worker
    has yet another process. ``wait`` waits until this worker has a response.
    """

    def __init__(
        self,
        memory: int,
        load_seconds: float,
        environment: Mapping[str, str],
        wait: Callable[[WorkerProcess], object],
        *,
        guarded: bool,
        module: str = MODULE,
    ) -> None:
        self._process = LineProcess(
            (sys.executable, "-P", "-m", module),
            memory=memory,
            load_seconds=load_seconds,
            internal=True,
            watched=True,
            environment=environment,
        )
        self._wait = wait
        self._request: Request | None = None
        self.guarded = guarded
        self.death: TargetDeath | None = None

    @property
    def descriptors(self) -> Sequence[int]:
        """Descriptors that become readable when the worker sends something."""
        return self._process.descriptors

    @property
    def load_left(self) -> float:
        """Seconds that are left for loading the target."""
        return self._process.load_left

    @property
    def output_size(self) -> int:
        """Bytes that the target has printed."""
        return self._process.errors.size

    @property
    def memory(self) -> int:
        """Bytes of memory that the process uses; 0 if that is not known."""
        return resident_memory(self._process.pid)

    def send(self, request: Request) -> None:
        """Send a request without waiting; if the worker has died, :meth:`receive` raises that."""
        self._request = request
        try:
            self._process.send(to_line(request_record(request)))
        except TargetDeath as death:
            self.death = death

    def has_response(self) -> bool:
        """Read what has arrived; return whether :meth:`receive` would return or raise at once."""
        if self.death is None:
            try:
                return self._process.has_line()
            except TargetDeath as death:
                self.death = death
        return True

    def receive(self) -> dict[str, Any]:
        """Wait for the response.

        Raises:
            TargetDeath: the worker or the process of the target died; or an unguarded worker
                failed, perhaps because the target damaged its process.
            TokharnessError: the response reports an error of the user.
            InternalError: the response of a guarded worker reports a bug in tokharness.

        """
        self._wait(self)
        if self.death is not None or self._request is None:
            raise self.death or TargetDeath("nonsense", "there is no request")
        line = self._process.receive()
        return read_response(self._request, line, trusted=self.guarded)

    def ask_to_stop(self) -> None:
        """Ask the worker to respond soon with the results that it has."""
        self._process.ask_to_stop()

    def call(self, request: Request) -> dict[str, Any]:
        """Send a request and wait for the response; raises as :meth:`receive` does."""
        self.send(request)
        return self.receive()

    def reset_memory_limit(self) -> None:
        """Count the memory limit from what the process uses now."""
        self._process.reset_memory_limit()

    def kill(self) -> None:
        """Kill the process and its children."""
        self._process.kill()


class LocalWorker:
    """A worker within this process, for a debugger; a crash of the target ends this process."""

    load_left = math.inf
    output_size = 0
    memory = 0
    descriptors: tuple[int, ...] = ()
    death: TargetDeath | None = None

    def __init__(
        self, *, guarded: bool, operations: Mapping[type[Request], Operation] = MappingProxyType({})
    ) -> None:
        from tokharness.engine.worker.main import Worker  # the command itself needs none

        self._worker = Worker(timed=False, operations=operations)
        self._request: Request | None = None
        self._line = b""
        self.guarded = guarded

    def send(self, request: Request) -> None:
        """Respond at once, and keep the response for :meth:`receive`."""
        # Through JSON, so that both kinds of worker give the same results.
        self._request = request
        record = from_line(to_line(request_record(request)))
        with interruptible():
            response = self._worker.respond(record)
        self._line = to_line(response)

    def receive(self) -> dict[str, Any]:
        """Return the response; raises as :meth:`WorkerProcess.receive` does."""
        if self._request is None:
            raise TargetDeath("nonsense", "there is no request")
        return read_response(self._request, self._line, trusted=True)

    def ask_to_stop(self) -> None:
        """Do nothing: it has responded."""

    def call(self, request: Request) -> dict[str, Any]:
        """Return the response to a request."""
        self.send(request)
        return self.receive()

    def reset_memory_limit(self) -> None:
        """Do nothing: this process has no limit."""

    def kill(self) -> None:
        """Kill the processes of the target and its reference, if they have any."""
        self._worker.close()


AnyWorker: TypeAlias = WorkerProcess | LocalWorker

MAX_AUTOMATIC = 8
"""Each worker loads the target; more workers cost more time for that than they save."""


def automatic_jobs() -> int:
    """Return the default number of workers: one per usable core, up to ``MAX_AUTOMATIC``."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(cores or 1, MAX_AUTOMATIC)


class Pool:
    """Workers for one target; leaving the context kills them all, and what the target started.

    With 0 ``jobs`` the worker runs within this process. After the ``time.monotonic()`` of
    ``interrupt_at``, waiting for a worker raises KeyboardInterrupt. While waiting, ``watch`` is
    called repeatedly. ``time`` is the processor time of the run, at first without a limit, and
    ``load_left`` the seconds for loading the target, including all failed loads. ``versions`` are
    those of :class:`~tokharness.engine.requests.LoadRequest`. ``module`` is the program of a
    worker, and ``operations`` what it does beyond the operations of the engine.
    """

    def __init__(
        self,
        spec: str,
        options: Options,
        jobs: int,
        *,
        module: str = MODULE,
        operations: Mapping[type[Request], Operation] = MappingProxyType({}),
    ) -> None:
        self.spec, self.options, self.jobs = spec, options, jobs
        read = (f"file:{name}" for name in (options.corpus, options.embeddings) if name)
        self._files = identities_of([spec, options.against or "", *read])
        self._module, self._operations = module, operations
        self.interrupt_at: float | None = None
        self.watch: Callable[[], None] | None = None
        self.time = ProcessorTime()
        self.load_left = options.load_limit
        self.versions: Mapping[str, Mapping[str, str]] = {}
        self._all: list[AnyWorker] = []
        require_memory()
        self._guard = Guard() if jobs else None
        self._output_size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            for worker in list(self._all):
                self.kill(worker)
        finally:
            if self._guard is not None:
                self._guard.end()

    @property
    def workers(self) -> list[AnyWorker]:
        """All workers, the first one first."""
        return list(self._all)

    @property
    def output_size(self) -> int:
        """Bytes that the target has printed in the processes of all workers."""
        return self._output_size + sum(worker.output_size for worker in self._all)

    def watch_files(self, spec: str) -> None:
        """Watch the files of a further target, the reference."""
        self._files = identities_of([spec]) | self._files

    def changed_file(self) -> Path | None:
        """Return a file that the run reads, and that changed since the pool was made."""
        return changed_path(self._files)

    def start(self, *, guarded: bool = False, cold: bool = False) -> AnyWorker:
        """Start a worker, and send it the request to load the target."""
        worker: AnyWorker
        if self._guard is None:
            worker = LocalWorker(guarded=guarded, operations=self._operations)
        else:
            worker = WorkerProcess(
                self.options.memory_limit,
                self.load_left,
                self._guard.environment,
                self._wait,
                guarded=guarded,
                module=self._module,
            )
        self._all.append(worker)
        worker.send(LoadRequest(self.spec, self.options, sys.path, guarded, cold, self.versions))
        return worker

    def kill(self, worker: AnyWorker) -> None:
        """Kill a worker."""
        worker.kill()
        self._all.remove(worker)
        self._output_size += worker.output_size

    def next_ready(self, busy: Sequence[AnyWorker]) -> AnyWorker:
        """Wait until one of the workers has a response or has died, and return it.

        Raises:
            KeyboardInterrupt: it is ``interrupt_at``.

        """
        while True:
            for worker in busy:
                if isinstance(worker, LocalWorker) or worker.has_response():
                    return worker
            if self.watch is not None:
                self.watch()
            if self.interrupt_at is not None and time.monotonic() >= self.interrupt_at:
                raise KeyboardInterrupt
            with selectors.DefaultSelector() as selector:
                for worker in busy:
                    for fd in worker.descriptors:
                        selector.register(fd, selectors.EVENT_READ)
                with interruptible():
                    selector.select(LOOK_SECONDS)

    def _wait(self, worker: WorkerProcess) -> None:
        self.next_ready([worker])
