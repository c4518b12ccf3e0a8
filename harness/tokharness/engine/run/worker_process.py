"""A worker, as the command sees it: in a process of its own, or within the command's process."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.engine.requests import request_record
from tokharness.engine.responses import read_response
from tokharness.engine.worker.main import Worker
from tokharness.errors import TargetDeath
from tokharness.interrupts import interruptible
from tokharness.targets.processes.json_lines import from_line, to_line
from tokharness.targets.processes.limits import resident_memory
from tokharness.targets.processes.line_process import LineProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness.engine.requests import Request

__all__ = ["AnyWorker", "LocalWorker", "WorkerProcess"]

ARGV = (sys.executable, "-P", "-m", "tokharness.engine.worker.main")


class WorkerProcess:
    """A worker in a process of its own, which has at most one request at a time.

    Its first request loads the target, for ``load_seconds``. The target of a ``guarded`` worker has
    a process of its own again. ``wait`` waits until this worker has a response.
    """

    def __init__(
        self,
        memory: int,
        load_seconds: float,
        environment: Mapping[str, str],
        wait: Callable[[WorkerProcess], object],
        *,
        guarded: bool,
    ) -> None:
        self._process = LineProcess(
            ARGV,
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
            TargetDeath: the worker died, or a target with a process of its own; or an unguarded
                worker failed, perhaps since the target has damaged its process.
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

    def __init__(self, *, guarded: bool) -> None:
        self._worker = Worker(timed=False)
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
