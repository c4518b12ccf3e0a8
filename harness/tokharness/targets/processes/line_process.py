"""A process that receives requests and sends responses as lines, and is never trusted.

Lines are JSON in both directions. Nothing is unpickled, since the response may come from a target
that has overwritten its own memory. Every request has a deadline. The process has a session of its
own, so that it is killed together with its children and a Ctrl-C at the terminal does not reach it.
It is killed when its parent ends, where the system supports that.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING

from tokharness.errors import TargetDeath
from tokharness.targets.processes.limits import die_with_parent, exit_reason, limit_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LineProcess"]

CHUNK = 1 << 20
ERROR_BYTES = 2000
"""Bytes of standard error to search for the last line."""

EXIT_SECONDS = 1.0
"""Seconds to wait for the exit code of a process that closed its output."""


class LineProcess:
    """A running program; ``fd`` becomes readable when it sends a response.

    An ``internal`` program is a module of tokharness, which itself ends with its parent.

    Raises:
        OSError: the program cannot be started.

    """

    def __init__(self, argv: Sequence[str], *, memory: int, internal: bool = False) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as this
        try:
            self._popen = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
                # Only in a worker, which has no other threads of ours.
                preexec_fn=None if internal else die_with_parent,  # noqa: PLW1509
            )
        except BaseException:
            self._errors.close()
            raise
        self._memory = memory
        self._errors_before = 0
        self._pending = bytearray()
        self._input: int = self._popen.stdin.fileno()  # type: ignore[union-attr]
        self.fd: int = self._popen.stdout.fileno()  # type: ignore[union-attr]
        os.set_blocking(self._input, False)
        os.set_blocking(self.fd, False)
        self.reset_memory_limit()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._popen.pid

    def reset_memory_limit(self) -> None:
        """Let the process allocate the memory limit beyond what it holds now."""
        limit_memory(self.pid, self._memory)

    def call(self, request: bytes, seconds: float | None) -> bytes:
        """Send a request and wait for one line; ``None`` seconds means no time limit.

        Raises:
            TargetDeath: the process ended, or exceeded the time limit and was killed.

        """
        self.send(request, seconds)
        return self.receive(seconds)

    def send(self, request: bytes, seconds: float | None = None) -> None:
        """Write a request, a line; the process may write before it has read all of it."""
        self._errors_before = self._errors.seek(0, os.SEEK_END)
        rest = memoryview(request)
        deadline = _deadline(seconds)
        with selectors.DefaultSelector() as selector:
            selector.register(self._input, selectors.EVENT_WRITE)
            selector.register(self.fd, selectors.EVENT_READ)
            while rest:
                for key, _ in self._wait(selector, deadline):
                    if key.fd == self.fd:
                        if self._read():
                            raise self._death()
                        continue
                    try:
                        rest = rest[os.write(self._input, rest) :]
                    except BlockingIOError:
                        continue
                    except OSError:
                        raise self._death() from None

    def receive(self, seconds: float | None = None) -> bytes:
        """Wait for the next line."""
        deadline = _deadline(seconds)
        with selectors.DefaultSelector() as selector:
            selector.register(self.fd, selectors.EVENT_READ)
            while (line := self.buffered_line()) is None:
                self._wait(selector, deadline)
                if self._read():
                    raise self._death()
        return line

    def buffered_line(self) -> bytes | None:
        """Return a line that has already arrived, or None."""
        end = self._pending.find(b"\n")
        if end < 0:
            return None
        line = bytes(self._pending[:end])
        del self._pending[: end + 1]
        return line

    def has_line_or_ended(self) -> bool:
        """Read what has arrived; whether :meth:`receive` would return or raise at once."""
        return self._read() or b"\n" in self._pending

    def _read(self) -> bool:
        """Read what has arrived; whether the process has closed its output."""
        try:
            chunk = os.read(self.fd, CHUNK)
        except BlockingIOError:
            return False
        self._pending += chunk
        return not chunk

    def kill_if_stopped(self) -> None:
        """Kill the process if a signal has stopped it; its own timer cannot do that (Linux)."""
        with contextlib.suppress(OSError):
            stat = Path(f"/proc/{self.pid}/stat").read_text("ascii", "replace")
            if stat.rpartition(")")[2].split()[0] == "T":
                os.kill(self.pid, signal.SIGKILL)

    def kill(self) -> None:
        """Kill the process and its children; does nothing if they have ended."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._popen.kill()
        self._popen.wait()
        for stream in (self._popen.stdin, self._popen.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._errors.close()

    def _wait(
        self, selector: selectors.BaseSelector, deadline: float | None
    ) -> list[tuple[selectors.SelectorKey, int]]:
        seconds = None if deadline is None else deadline - time.monotonic()
        ready = selector.select(seconds) if seconds is None or seconds > 0 else []
        if not ready and deadline is not None and time.monotonic() >= deadline:
            detail = self.last_error_line()
            self.kill()
            raise TargetDeath("time limit", detail)
        return ready

    def _death(self) -> TargetDeath:
        """Return how the process ended; kill it if it has only closed its output."""
        try:
            code = self._popen.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            code = 0  # without an output it cannot respond
        detail = self.last_error_line()
        self.kill()
        return TargetDeath(exit_reason(code), detail)

    def last_error_line(self) -> str:
        """Return the last line of standard error since the last request."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(size - ERROR_BYTES, self._errors_before))
        lines = self._errors.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _deadline(seconds: float | None) -> float | None:
    return None if seconds is None else time.monotonic() + seconds
