"""The streams of the protocol in our own process, hidden from the target.

The first line of the input is a nonce, which precedes each line of the output: a line that the
target writes to the pipe itself is not taken for a response.
"""

from __future__ import annotations

import fcntl
import os
import random
import resource
import select
import sys
from typing import TYPE_CHECKING, Any

from tokharness.targets.processes.json_lines import to_line
from tokharness.targets.processes.limits import die_with_parent

if TYPE_CHECKING:
    from collections.abc import Iterator

INPUT_ENDED = 77
"""The exit code of a process whose input has ended."""

MAX_DESCRIPTOR = 4096
"""Larger numbers cost memory in the kernel."""


def take_arguments() -> list[str]:
    """Return the arguments of this program, and leave those of an interpreter without a program.

    The arguments must not show a target that it is being checked.
    """
    arguments = sys.argv[1:]
    sys.argv[:], sys.orig_argv[:] = [""], [sys.executable]
    return arguments


def _end_without_parent(descriptor: int) -> None:
    """End this process if nothing holds the other end of its input any more.

    The parent may have ended before :func:`die_with_parent`, and the request that it wrote may be a
    load that takes a minute.
    """
    poll = select.poll()
    poll.register(descriptor, 0)  # POLLHUP comes in any case
    if any(events & select.POLLHUP for _, events in poll.poll(0)):
        os._exit(INPUT_ENDED)


class ProtocolStreams:
    """Lines of requests, and a writer of responses, with standard input and output replaced.

    A target that reads standard input reads nothing; a target that prints writes to standard error.
    The descriptors have high, random numbers, since targets close or write to low descriptors. This
    process ends with its parent.
    """

    def __init__(self) -> None:
        die_with_parent()
        self._input = os.fdopen(_move_up(0), "rb")
        _end_without_parent(self._input.fileno())
        self._output = _move_up(1)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        os.dup2(2, 1)
        self._nonce = self._input.readline().strip()
        self._owner = os.getpid()

    def requests(self) -> Iterator[bytes]:
        """Yield each line of the input."""
        yield from self._input

    def own(self) -> None:
        """Write from this process, a fork of the process that opened the streams, from now on."""
        self._owner = os.getpid()

    def write(self, message: Any) -> None:
        """Write a response; a process that the target forked ends here."""
        if os.getpid() != self._owner:
            os._exit(0)
        rest = memoryview(self._nonce + b" " + to_line(message))
        while rest:
            rest = rest[os.write(self._output, rest) :]


def _move_up(fd: int) -> int:
    """Return a copy of a descriptor with a high number, which programs do not inherit."""
    most = min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], MAX_DESCRIPTOR)
    lowest = random.randrange(most // 2, max(most - 16, most // 2 + 1))
    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, lowest)
