"""A process that sends responses as lines, and its other output; the process is never trusted.

Lines are JSON in both directions. Nothing is unpickled, since the response may come from a target
that has overwritten its own memory. Every request has a deadline, and our own programs also have
deadlines between the calls of their target (:mod:`~tokharness.targets.processes.deadlines`). The
process has a session of its own, so that it is killed together with its children and a Ctrl-C at
the terminal does not reach it. It is killed when its parent ends, if the system supports this.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import secrets
import selectors
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.errors import TargetDeath
from tokharness.interrupts import interruptible
from tokharness.targets.processes.deadlines import LOAD_LIMIT, SharedDeadline, own_seconds
from tokharness.targets.processes.limits import (
    die_with_parent,
    exit_reason,
    limit_memory,
    load_time_of,
)
from tokharness.targets.processes.protocol import nonsense_death

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# The standard output and error of a process: the last line, and the number of bytes.
#
# A pipe instead of a file, so that a target that prints without end cannot fill the disk.

ERROR_CHUNK = 1 << 16
MAX_CHUNKS = 16
KEPT_BYTES = 2000
"""Bytes that are kept from the end of the output."""


OUT_OF_MEMORY = re.compile(
    r"^MemoryError|\bmemory allocation of \d+ bytes failed|\bbad_alloc\b|Cannot allocate memory"
)
"""In the last line that a process writes that gets no memory: of Python, of Rust and of C++."""


class ErrorOutput:
    """The reading end of a pipe; ``fd`` is None once all writers have closed their ends.

    ``writer`` is passed to the process and then closed with :meth:`close_writer`. ``size`` is the
    number of bytes that were read.
    """

    def __init__(self) -> None:
        reader, self.writer = os.pipe()
        os.set_blocking(reader, False)
        self.fd: int | None = reader
        self.size = 0
        self._tail = b""

    def close_writer(self) -> None:
        """Close this process's copy of the writing end."""
        os.close(self.writer)

    def read(self) -> None:
        """Read what has arrived, so that the process does not wait for its reader for long."""
        for _ in range(MAX_CHUNKS):  # it may write as fast as it is read
            if self.fd is None:
                return
            try:
                chunk = os.read(self.fd, ERROR_CHUNK)
            except BlockingIOError:
                return
            self.size += len(chunk)
            self._tail = (self._tail + chunk)[-KEPT_BYTES:]
            if not chunk:
                self.close()

    def forget(self) -> None:
        """Forget the output so far."""
        self.read()
        self._tail = b""

    def last_line(self) -> str:
        """Return the last line that is not blank since :meth:`forget`, or ""."""
        self.read()
        lines = self._tail.decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def close(self) -> None:
        """Close the reading end."""
        if self.fd is not None:
            with contextlib.suppress(OSError):
                os.close(self.fd)
            self.fd = None


CHUNK = 1 << 20
MAX_LINE = 64 << 20
"""Most bytes of a response; a longer response is nonsense."""

LOOK_SECONDS = 0.5
"""Seconds after which the state of a process is checked, if nothing arrives from it.

While a child of the process holds the pipe, the output does not show that the process ended.
"""

STOPPED_SECONDS = 2.0
"""Seconds of silence after which a process that a signal has stopped is killed."""

EXIT_SECONDS = 1.0
"""Seconds to wait for the exit code of a process that closed its output."""


class LineProcess:
    """A running program; one of its ``descriptors`` becomes readable when it sends data.

    An ``internal`` program is a module of tokharness, which itself ends with its parent. It begins
    each line with a nonce (:mod:`~tokharness.targets.processes.streams`). With ``watched`` its last
    argument is the descriptor of the page for its deadlines. ``load_seconds`` limit the time until
    its first line (:mod:`~tokharness.targets.processes.deadlines`).

    Raises:
        OSError: the program cannot be started.

    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        memory: int,
        load_seconds: float | None = None,
        internal: bool = False,
        watched: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.errors, self._is_asked = ErrorOutput(), False
        self._deadline = SharedDeadline() if watched else None
        try:
            self._popen = self._start(argv, environment, internal=internal)
        except BaseException:
            self._close()
            raise
        finally:
            self.errors.close_writer()
        self._memory = memory
        self._pending = bytearray()
        self._silent_since = time.monotonic()
        self._load_time = load_time_of(self.pid, load_seconds) if load_seconds else None
        self._input: int = self._popen.stdin.fileno()  # type: ignore[union-attr]
        self._output: int = self._popen.stdout.fileno()  # type: ignore[union-attr]
        os.set_blocking(self._input, False)
        os.set_blocking(self._output, False)
        self._nonce = secrets.token_hex(16).encode() if internal else b""
        self.reset_memory_limit()
        if internal:
            with contextlib.suppress(OSError):  # it has ended; the next request reports it
                os.write(self._input, self._nonce + b"\n")

    def _start(
        self, argv: Sequence[str], environment: Mapping[str, str] | None, *, internal: bool
    ) -> subprocess.Popen[bytes]:
        page: tuple[int, ...] = ()
        if self._deadline is not None:
            self._deadline.set(own_seconds())
            page = (self._deadline.fd,)
        return subprocess.Popen(
            [*argv, *map(str, page)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors.writer,
            env=environment,
            pass_fds=page,
            start_new_session=True,
            # Only in a worker, which has no other threads of ours.
            preexec_fn=None if internal else die_with_parent,  # noqa: PLW1509
        )

    @property
    def pid(self) -> int:
        """Process id."""
        return self._popen.pid

    @property
    def descriptors(self) -> list[int]:
        """Descriptors to select on."""
        return [self._output, *([] if self.errors.fd is None else [self.errors.fd])]

    def reset_memory_limit(self) -> None:
        """Let the process allocate the memory limit beyond what it holds now."""
        limit_memory(self.pid, self._memory)

    def call(self, request: bytes, seconds: float | None) -> bytes:
        """Send a request and wait for one line; ``None`` seconds means no time limit.

        Raises:
            TargetDeath: the process ended, or exceeded the time limit and was killed, or sent
                data that is not a line.

        """
        self.send(request, seconds)
        return self.receive(seconds)

    def send(self, request: bytes, seconds: float | None = None) -> None:
        """Write a request, a line; the process may write before it has read all of it."""
        if self._is_asked:  # before that, it may have ended with a message
            self.errors.forget()
        self._is_asked = True
        self._silent_since = time.monotonic()
        if self._deadline is not None:
            self._deadline.set(own_seconds())
            self._deadline.ask_to_stop(stop=False)
        rest = memoryview(request)
        deadline = _deadline(seconds)
        while rest:
            try:
                rest = rest[os.write(self._input, rest) :]
            except BlockingIOError:
                self._wait(deadline, (self._input,))
            except OSError:
                if self.has_line():  # it wrote a line before it ended, which says more
                    return
                raise self._death() from None

    def ask_to_stop(self) -> None:
        """Ask a watched process to respond soon with its results so far."""
        if self._deadline is not None:
            self._deadline.ask_to_stop()

    def receive(self, seconds: float | None = None) -> bytes:
        """Wait for the next line."""
        deadline = _deadline(seconds)
        while not self.has_line():
            self._wait(deadline)
        line: bytes = self.buffered_line()  # type: ignore[assignment]
        nonce, _, body = line.partition(b" ") if self._nonce else (b"", b"", line)
        if nonce != self._nonce:
            self.kill()
            raise nonsense_death("a line that is not of the protocol", line)
        return body

    def buffered_line(self) -> bytes | None:
        """Return a line that has already arrived, or None."""
        end = self._pending.find(b"\n")
        if end < 0:
            return None
        line = bytes(self._pending[:end])
        del self._pending[: end + 1]
        return line

    def has_line(self) -> bool:
        """Read what has arrived; whether a line is there.

        Raises:
            TargetDeath: no line has arrived, and none will.

        """
        self.errors.read()
        ended = self._popen.poll() is not None  # before the pipe, into which it may have written
        closed = self._read()
        if b"\n" in self._pending:
            self._load_time = None
            return True
        if len(self._pending) > MAX_LINE:
            start = bytes(self._pending[:CHUNK])
            self.kill()
            raise nonsense_death(f"with more than {MAX_LINE >> 20} MB", start)
        if closed or ended:
            raise self._death()
        if self._deadline is not None and self._deadline.has_passed():
            raise self._ended_by_us("time limit")
        if self._load_time is not None and self._load_time.is_over():
            raise self._ended_by_us(LOAD_LIMIT)
        if time.monotonic() - self._silent_since > STOPPED_SECONDS and self._is_stopped():
            raise self._ended_by_us("SIGSTOP")
        return False

    @property
    def load_left(self) -> float:
        """Seconds that are left until the first line must arrive."""
        return math.inf if self._load_time is None else self._load_time.left

    def _read(self) -> bool:
        """Read the data that has arrived; return whether the process has closed its output."""
        while len(self._pending) <= MAX_LINE:
            try:
                chunk = os.read(self._output, CHUNK)
            except BlockingIOError:
                return False
            if not chunk:
                return True
            self._pending += chunk
            self._silent_since = time.monotonic()
        return False

    def _is_stopped(self) -> bool:
        """Whether a signal has stopped the process; its own timer cannot end it then (Linux)."""
        with contextlib.suppress(OSError):
            stat = Path(f"/proc/{self.pid}/stat").read_text("ascii", "replace")
            return stat.rpartition(")")[2].split()[0] == "T"
        return False

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
        self._close()

    def _close(self) -> None:
        self.errors.close()
        if self._deadline is not None:
            self._deadline.close()
            self._deadline = None

    def _wait(self, deadline: float | None, writing: tuple[int, ...] = ()) -> None:
        """Wait until data arrives or can be written, but not longer than LOOK_SECONDS."""
        seconds = LOOK_SECONDS if deadline is None else deadline - time.monotonic()
        if seconds <= 0:
            raise self._ended_by_us("time limit")
        with selectors.DefaultSelector() as selector:
            for fd in self.descriptors:
                selector.register(fd, selectors.EVENT_READ)
            for fd in writing:
                selector.register(fd, selectors.EVENT_WRITE)
            with interruptible():
                selector.select(min(seconds, LOOK_SECONDS))
        if writing:
            self.has_line()

    def _ended_by_us(self, reason: str) -> TargetDeath:
        detail = self.errors.last_line()
        self.kill()
        return TargetDeath(reason, detail)

    def _death(self) -> TargetDeath:
        """Return how the process ended; kill it if it has only closed its output."""
        try:
            code = self._popen.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            code = 0  # without an output it cannot respond
        reason, detail = exit_reason(code), self.errors.last_line()
        if self._load_time is not None and OUT_OF_MEMORY.search(detail):
            reason = "memory limit"  # libraries in Rust and C++ end the process then
        self.kill()
        return TargetDeath(reason, detail)


def _deadline(seconds: float | None) -> float | None:
    return None if seconds is None else time.monotonic() + seconds
