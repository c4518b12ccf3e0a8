"""How long a process may take on a busy machine, and until when it must make progress.

A load must not fail because the machine is busy, and a load that hangs must end although it uses no
processor time. Processor time counts where the system counts it.

An alarm ends a process whose target takes too long (:func:`~tokharness.targets.processes.limits.
arm_timer`), unless the target blocks, ignores or cancels it. Therefore the process also writes the
deadline of each call into a page that it shares with its parent. The parent kills it when the
deadline has passed. Between two calls our own code has :func:`own_seconds`. The page also has a
byte with which the parent asks the process to respond soon with its results so far.
"""

from __future__ import annotations

import contextlib
import math
import mmap
import os
import struct
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


LOAD_LIMIT = "load limit"
"""Reason of the death of a process that has not loaded its target in time."""

WINDOW_SECONDS = 2.0
"""Length of the window, in seconds of the clock, in which a process is idle or not."""

IDLE_SHARE = 0.05
"""Share of the time in which a process uses a processor or waits for one; with less it hangs. At
least this share of the time counts."""


class LoadTime:
    """The time of a load: processor time, and clock time while the process is idle.

    ``used`` returns the processor seconds that the process and its descendants have used, and
    ``waited`` the seconds that they have waited for a processor.
    """

    def __init__(
        self, limit: float, used: Callable[[], float], waited: Callable[[], float]
    ) -> None:
        self._left, self._used, self._waited = limit, used, waited
        self._processor, self._waiting, self._passed = used(), waited(), time.monotonic()

    @property
    def left(self) -> float:
        """Seconds that the process may still use, as of the last call of :meth:`is_over`."""
        return self._left

    def is_over(self) -> bool:
        """Whether the process has used up its limit."""
        passed = time.monotonic() - self._passed
        if passed < min(WINDOW_SECONDS, self._left):
            return False
        processor, waiting = self._used(), self._waited()
        used, least = max(processor - self._processor, 0.0), passed * IDLE_SHARE
        is_idle = used + waiting - self._waiting < least
        self._left -= passed if is_idle else max(used, least)
        self._processor, self._waiting = processor, waiting
        self._passed += passed
        return self._left <= 0


def crowding(most: float | None = None) -> float:
    """Return how many times longer a call may take on this machine now, from 1 to ``most``.

    On a busy machine, a call may take longer by this factor without being a hang. It is the number
    of processes that share a processor, or what this process itself waits for a processor, which
    is far more if the others have a higher priority.
    """
    global _crowding, _crowding_until
    if (now := time.monotonic()) >= _crowding_until:
        try:
            shared = os.getloadavg()[0] / (os.cpu_count() or 1)
        except OSError:  # some containers do not show it
            shared = 1.0
        most_waiting = MOST_WAITING if _has_low_priority() else MOST_SHARING
        factors = (1.0, min(shared, MOST_SHARING), min(_waiting_factor(now), most_waiting))
        _crowding, _crowding_until = max(factors), now + CROWDING_SECONDS
    return _crowding if most is None else min(_crowding, most)


MOST_SHARING, MOST_WAITING = 4.0, 32.0
"""The largest factor for processes that share a processor, and for one of low priority."""

CROWDING_SECONDS = 2.0
"""Seconds after which the load of the machine is read again."""

LEAST_SHARE = 0.1
"""Least share of the time in which a process runs or waits, so that it is known how it waits."""

_crowding, _crowding_until = 1.0, -math.inf
_seen: tuple[float, float, float] = (-math.inf, 0.0, 0.0)


def _has_low_priority() -> bool:
    try:
        return os.getpriority(os.PRIO_PROCESS, 0) > 0
    except (AttributeError, OSError):  # Windows has none
        return False


def _waiting_factor(now: float) -> float:
    """Return how many times longer this process took since the last look than it ran (Linux)."""
    global _seen
    try:
        rows = Path("/proc/self/schedstat").read_bytes().split()
        run, waited = int(rows[0]) / 1e9, int(rows[1]) / 1e9
    except (OSError, ValueError, IndexError):  # there is no such file
        return 1.0
    before, _seen = _seen, (now, run, waited)
    passed, run, waited = now - before[0], run - before[1], waited - before[2]
    # The process has just begun, or has slept: a few short waits say nothing.
    if run <= 0 or (passed < math.inf and run + waited < passed * LEAST_SHARE):
        return 1.0
    return (run + waited) / run


GRACE_SECONDS = 2.0
"""Seconds after the alarm until the parent kills the process."""

OWN_SECONDS = 120.0
"""Seconds that may pass between two calls of a target, on a machine that is not busy."""

_DEADLINE = struct.Struct("d")
_SIZE = _DEADLINE.size + 1  # the last byte asks to stop
_page: mmap.mmap | None = None  # of this process, which has at most one parent that reads it


def own_seconds() -> float:
    """Return the seconds that may pass between two calls of a target; more on a busy machine."""
    return OWN_SECONDS * crowding()


class SharedDeadline:
    """The parent's side: a deadline that the child process moves; ``fd`` is passed to the child.

    The parent maps no memory: a target that truncates the file ends its own process only (SIGBUS).
    """

    def __init__(self) -> None:
        self.fd: int = _open_file()
        os.ftruncate(self.fd, _SIZE)

    def set(self, seconds: float) -> None:
        """Give the process ``seconds``, until it sets a deadline itself."""
        os.pwrite(self.fd, _DEADLINE.pack(time.monotonic() + seconds), 0)

    def ask_to_stop(self, *, stop: bool = True) -> None:
        """Ask the process to respond soon; without ``stop``, cancel the request."""
        os.pwrite(self.fd, bytes([stop]), _DEADLINE.size)

    def has_passed(self) -> bool:
        """Whether the process has missed its deadline, or has made it unreadable."""
        data = os.pread(self.fd, _DEADLINE.size, 0)
        if len(data) < _DEADLINE.size:
            return True
        if data != os.pread(self.fd, _DEADLINE.size, 0):
            return False  # the first read may have seen half of a write
        deadline: float = _DEADLINE.unpack(data)[0]
        return not time.monotonic() <= deadline  # also if it is NaN

    def close(self) -> None:
        """Close the file; the child keeps its own mapping."""
        os.close(self.fd)


def _open_file() -> int:
    """Return the descriptor of a file without a name; on Linux it needs no disk space."""
    if sys.platform == "linux":
        return os.memfd_create("tokharness-deadline")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def share_deadline(fd: int) -> None:
    """Write the deadlines of this process into the page of this descriptor."""
    global _page  # noqa: PLW0603 - as a process has one alarm
    _page = mmap.mmap(fd, _SIZE)


def is_asked_to_stop() -> bool:
    """Whether the parent asks this process to respond soon."""
    return _page is not None and _page[-1] != 0


def set_deadline(seconds: float) -> None:
    """Promise the parent an end of this call within ``seconds`` and a grace."""
    if _page is not None:
        # Not with pack_into, which writes zeros first: the parent may read those.
        _page[:-1] = _DEADLINE.pack(time.monotonic() + seconds + GRACE_SECONDS)


@contextlib.contextmanager
def without_deadline() -> Iterator[None]:
    """Promise no end of the block, because its time is limited elsewhere."""
    before = b"" if _page is None else _page[:-1]
    set_deadline(math.inf)
    try:
        yield
    finally:
        if _page is not None:
            _page[:-1] = before if _DEADLINE.unpack(before)[0] == math.inf else _own_deadline()


def _own_deadline() -> bytes:
    return _DEADLINE.pack(time.monotonic() + own_seconds() + GRACE_SECONDS)
