"""What a process writes to standard output and error: the last line, and how many bytes.

A pipe instead of a file, so that a target that prints without end cannot fill the disk.
"""

from __future__ import annotations

import contextlib
import os

__all__ = ["ErrorOutput"]

CHUNK = 1 << 16
MAX_CHUNKS = 16
KEPT_BYTES = 2000
"""Bytes at the end of the output that are kept."""


class ErrorOutput:
    """The reading end of a pipe; ``fd`` is None once all writers have closed theirs.

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
                chunk = os.read(self.fd, CHUNK)
            except BlockingIOError:
                return
            self.size += len(chunk)
            self._tail = (self._tail + chunk)[-KEPT_BYTES:]
            if not chunk:
                self.close()

    def forget(self) -> None:
        """Forget what was written until now."""
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
