"""Until when a process must make progress, in memory that its parent reads.

An alarm ends a process whose target takes too long (:func:`~tokharness.targets.processes.limits.
arm_timer`), unless the target blocks, ignores or cancels it. Therefore the process also writes the
deadline of each call into a page that it shares with its parent, which kills it when the deadline
has passed. Between two calls our own code has ``OWN_SECONDS``.
"""

from __future__ import annotations

import mmap
import struct
import tempfile
import time

__all__ = ["GRACE_SECONDS", "OWN_SECONDS", "SharedDeadline", "set_deadline", "share_deadline"]

GRACE_SECONDS = 2.0
"""Seconds after the alarm until the parent kills the process."""

OWN_SECONDS = 120.0
"""Seconds that may pass between two calls of a target."""

_DEADLINE = struct.Struct("d")
_page: mmap.mmap | None = None  # of this process, which has at most one parent that reads it


class SharedDeadline:
    """The parent's side: a deadline that the child process moves; ``fd`` is passed to the child."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as this
        self._file.truncate(_DEADLINE.size)
        self.fd: int = self._file.fileno()
        self._page = mmap.mmap(self.fd, _DEADLINE.size)

    def set(self, seconds: float) -> None:
        """Give the process this time, until it sets a deadline itself."""
        _DEADLINE.pack_into(self._page, 0, time.monotonic() + seconds)

    def has_passed(self) -> bool:
        """Whether the process has missed its deadline."""
        deadline: float = _DEADLINE.unpack_from(self._page)[0]
        return not time.monotonic() <= deadline  # also if it is NaN

    def close(self) -> None:
        """Free the page; the child keeps its own mapping."""
        self._page.close()
        self._file.close()


def share_deadline(fd: int) -> None:
    """Write the deadlines of this process into the page of this descriptor."""
    global _page  # noqa: PLW0603 - as a process has one alarm
    _page = mmap.mmap(fd, _DEADLINE.size)


def set_deadline(seconds: float) -> None:
    """Promise the parent an end of this call within ``seconds`` and a grace."""
    if _page is not None:
        _DEADLINE.pack_into(_page, 0, time.monotonic() + seconds + GRACE_SECONDS)
