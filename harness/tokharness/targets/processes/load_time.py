"""How long a process may take on a busy machine, in processor time where that can be counted.

A load must not fail because the machine is busy, and a load that hangs must end although it uses no
processor time.
"""

from __future__ import annotations

import contextlib
import math
import os
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LOAD_LIMIT = "load limit"
"""Reason of the death of a process that has not loaded its target in time."""

WINDOW_SECONDS = 2.0
"""Length of the window, in seconds of the clock, in which a process is idle or not."""

IDLE_SHARE = 0.05
"""Share of the time; a process that runs or waits for a processor for less hangs."""


class LoadTime:
    """The time of a load: processor time, and clock time while the process is idle.

    ``used`` returns the processor seconds that the process and its descendants have used, and
    ``waited`` for how long they were ready to run and had no processor.
    """

    def __init__(
        self, limit: float, used: Callable[[], float], waited: Callable[[], float] = lambda: 0.0
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
        used, waited = processor - self._processor, max(waiting - self._waiting, 0.0)
        self._left -= passed if used + waited < passed * IDLE_SHARE else used
        self._processor, self._waiting = processor, waiting
        self._passed += passed
        return self._left <= 0


def load_time(limit: float, pid: int) -> LoadTime:
    """Return the time of a load in a process, which has begun."""
    return LoadTime(limit, partial(processor_seconds, pid), partial(waiting_seconds, pid))


def processor_seconds(pid: int) -> float:
    """Return the processor seconds that a process and its descendants have used (Linux).

    A descendant that has ended counts once its parent has waited for it. 0 if they are unknown.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        lists = [path.read_bytes() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:  # it has ended, or the system has no such files
        return 0.0
    own = sum(map(int, stat[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(processor_seconds(int(child)) for one in lists for child in one.split())


def waiting_seconds(pid: int) -> float:
    """Return how long a process and its descendants have waited for a processor (Linux), summed.

    0 if it is unknown.
    """
    found = 0.0
    for task in Path(f"/proc/{pid}/task").glob("*"):
        with contextlib.suppress(OSError, IndexError, ValueError):  # ended, or no such file
            found += int((task / "schedstat").read_bytes().split()[1]) / 1e9
            found += sum(map(waiting_seconds, map(int, (task / "children").read_bytes().split())))
    return found


def crowding(most: float = 4.0) -> float:
    """Return how many processes share a processor of this machine, from 1 to ``most``.

    On a busy machine, a call may take longer by this factor without being a hang.
    """
    global _crowding, _crowding_until
    if (now := time.monotonic()) >= _crowding_until:
        try:
            share = os.getloadavg()[0] / (os.cpu_count() or 1)
        except OSError:  # some containers do not show it
            share = 1.0
        _crowding, _crowding_until = max(share, 1.0), now + CROWDING_SECONDS
    return min(_crowding, most)


CROWDING_SECONDS = 2.0
"""Seconds after which the load of the machine is read again."""

_crowding, _crowding_until = 1.0, -math.inf
