"""Until when a process must make progress, in memory that its parent reads.

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
from typing import TYPE_CHECKING

from tokharness.targets.processes.load_time import crowding

if TYPE_CHECKING:
    from collections.abc import Iterator

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
