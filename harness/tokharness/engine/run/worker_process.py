"""A worker, as the command sees it: in a process of its own, or within the command's process."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.engine.requests import request_record
from tokharness.engine.responses import raise_for_error
from tokharness.engine.worker.main import Worker
from tokharness.errors import TargetDeath
from tokharness.targets.processes.json_lines import from_line, to_line
from tokharness.targets.processes.line_process import LineProcess

if TYPE_CHECKING:
    from tokharness.engine.requests import Request

__all__ = ["AnyWorker", "LocalWorker", "WorkerProcess"]

ARGV = (sys.executable, "-P", "-m", "tokharness.engine.worker.main")


class WorkerProcess:
    """A worker in a process of its own, which has at most one request at a time.

    The target of a ``guarded`` worker has a process of its own again.
    """

    def __init__(self, memory: int) -> None:
        self._process = LineProcess(ARGV, memory=memory, internal=True)
        self.fd = self._process.fd
        self.guarded = False
        self.death: TargetDeath | None = None

    def send(self, request: Request) -> None:
        """Send a request without waiting; if the worker has died, :meth:`receive` raises that."""
        try:
            self._process.send(to_line(request_record(request)))
        except TargetDeath as death:
            self.death = death

    def has_response(self) -> bool:
        """Read what has arrived; return whether :meth:`receive` would return at once."""
        return self._process.has_line_or_ended()

    def receive(self) -> dict[str, Any]:
        """Wait for the response.

        Raises:
            TargetDeath: the worker died, or a target with a process of its own.
            TokharnessError: the response reports an error of the user.
            InternalError: the response reports a bug in tokharness.

        """
        if self.death is not None:
            raise self.death
        line = self._process.receive()
        try:
            response = from_line(line)
        except ValueError:
            raise TargetDeath("nonsense", "the response of the worker is not JSON") from None
        return raise_for_error(response)

    def call(self, request: Request) -> dict[str, Any]:
        """Send a request and wait for the response; raises as :meth:`receive` does."""
        self.send(request)
        return self.receive()

    def reset_memory_limit(self) -> None:
        """Count the memory limit from what the process uses now."""
        self._process.reset_memory_limit()

    def kill_if_stopped(self) -> None:
        """Kill the process if it is stopped, as by SIGSTOP."""
        self._process.kill_if_stopped()

    def kill(self) -> None:
        """Kill the process and its children."""
        self._process.kill()


class LocalWorker:
    """A worker within this process, for a debugger; a crash of the target ends this process."""

    fd = -1

    def __init__(self) -> None:
        self._worker = Worker(timed=False)
        self._response: dict[str, Any] = {}
        self.guarded = False

    def send(self, request: Request) -> None:
        """Respond at once, and keep the response for :meth:`receive`."""
        # Through JSON, so that both kinds of worker give the same results.
        record = from_line(to_line(request_record(request)))
        self._response = from_line(to_line(self._worker.respond(record)))

    def receive(self) -> dict[str, Any]:
        """Return the response; raises as :meth:`WorkerProcess.receive` does."""
        return raise_for_error(self._response)

    def call(self, request: Request) -> dict[str, Any]:
        """Return the response to a request."""
        self.send(request)
        return self.receive()

    def reset_memory_limit(self) -> None:
        """Do nothing: this process has no limit."""

    def kill_if_stopped(self) -> None:
        """Do nothing: this process runs."""

    def kill(self) -> None:
        """Kill the processes of the target and its reference, if they have any."""
        self._worker.close()


AnyWorker: TypeAlias = WorkerProcess | LocalWorker
