"""A process that is asked, and answers, in lines of JSON, and that is never trusted.

JSON goes both ways and nothing is unpickled, since what answers may be a target that has
overwritten its own memory. Every question has a deadline. The process has a session of its own, so
that it and its children are killed together and a Ctrl-C at the terminal does not reach it; it is
killed with its parent, where the system can do that.
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
from tokharness.targets.processes.limits import die_with_parent, how_ended, limit_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LineProcess"]

CHUNK = 1 << 20
LAST_WORDS = 2000
GRACE = 1.0
"""Seconds in which a process that closed its output may still tell how it ended."""


class LineProcess:
    """A started program; ``fd`` is where its answers can be waited for.

    A program of ``ours`` sees to it itself that it ends with its parent.

    Raises:
        OSError: the program cannot be started.

    """

    def __init__(self, argv: Sequence[str], *, memory: int, ours: bool = False) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as this
        try:
            self._popen = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
                # Only in a worker, where no thread of ours runs.
                preexec_fn=None if ours else die_with_parent,  # noqa: PLW1509
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
        self.renew_memory()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._popen.pid

    def renew_memory(self) -> None:
        """Count the limit of memory from what the process holds now."""
        limit_memory(self.pid, self._memory)

    def ask(self, question: bytes, seconds: float | None) -> bytes:
        """Send a question, and wait for one line; ``None`` seconds are for ever.

        Raises:
            TargetDeath: the process ended, or did not answer in time and was killed.

        """
        self.send(question, seconds)
        return self.receive(seconds)

    def send(self, question: bytes, seconds: float | None = None) -> None:
        """Write a question, a line, whether or not the process reads it all before it writes."""
        self._errors_before = self._errors.seek(0, os.SEEK_END)
        rest = memoryview(question)
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
            while (line := self.line()) is None:
                self._wait(selector, deadline)
                if self._read():
                    raise self._death()
        return line

    def line(self) -> bytes | None:
        """Give a line that has come already, or None."""
        end = self._pending.find(b"\n")
        if end < 0:
            return None
        line = bytes(self._pending[:end])
        del self._pending[: end + 1]
        return line

    def ended_or_has_line(self) -> bool:
        """Take in what ``fd`` has; whether :meth:`receive` would wait no more."""
        return self._read() or b"\n" in self._pending

    def _read(self) -> bool:
        """Take in what there is; whether the process has closed its output."""
        try:
            chunk = os.read(self.fd, CHUNK)
        except BlockingIOError:
            return False
        self._pending += chunk
        return not chunk

    def kill_if_stopped(self) -> None:
        """End a process that a signal has stopped, which no timer of its own could (Linux)."""
        with contextlib.suppress(OSError):
            stat = Path(f"/proc/{self.pid}/stat").read_text("ascii", "replace")
            if stat.rpartition(")")[2].split()[0] == "T":
                os.kill(self.pid, signal.SIGKILL)

    def kill(self) -> None:
        """End the process and its children; harmless when they are gone."""
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
        left = None if deadline is None else deadline - time.monotonic()
        ready = selector.select(left) if left is None or left > 0 else []
        if not ready and deadline is not None and time.monotonic() >= deadline:
            words = self.last_words()
            self.kill()
            raise TargetDeath("time limit", words)
        return ready

    def _death(self) -> TargetDeath:
        """Tell how the process ended, which it has or is about to."""
        try:
            code = self._popen.wait(GRACE)
        except subprocess.TimeoutExpired:
            code = 0  # it closed its output, and is not going to answer
        words = self.last_words()
        self.kill()
        return TargetDeath(how_ended(code), words)

    def last_words(self) -> str:
        """Last line that the process wrote to its standard error since it was asked."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(size - LAST_WORDS, self._errors_before))
        lines = self._errors.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _deadline(seconds: float | None) -> float | None:
    return None if seconds is None else time.monotonic() + seconds
