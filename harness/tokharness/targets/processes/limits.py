"""How long and how much a target may take for one text, and how a process is held to it.

The time is a base and an allowance for each character, so that a million characters are not taken
for a hang. The memory is what a process may take beyond what it held when it was ready. The kernel
enforces both: an interval timer ends the process (whoever holds the interpreter's lock), and
RLIMIT_DATA, which counts private writable memory only, refuses the allocation. POSIX; the limit of
memory is Linux's.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import resource
import signal
import sys
import time
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "CURRENT",
    "LINUX",
    "LOAD_SECONDS",
    "Limits",
    "Watchdog",
    "arm",
    "die_with_parent",
    "disarm",
    "how_ended",
    "limit_memory",
]

SECONDS_A_CHARACTER = 20e-6
LOAD_SECONDS = 60.0
"""Time in which a target is to be loaded."""

PR_SET_PDEATHSIG = 1
LATE = 2.0
"""Seconds that the watchdog waits for the alarm."""
LINUX = sys.platform == "linux"
_LIBC = ctypes.CDLL(None) if LINUX else None


@dataclass(frozen=True, slots=True)
class Limits:
    """``seconds`` for one text beside the allowance for its length; ``memory`` in bytes."""

    seconds: float = 5.0
    memory: int = 2 << 30

    def seconds_for(self, characters: int) -> float:
        """Seconds that so many characters may take."""
        return self.seconds + characters * SECONDS_A_CHARACTER


CURRENT: ContextVar[Limits] = ContextVar("limits", default=Limits())  # noqa: B039 - frozen
"""The limits of this run, for whoever starts a process of a target's."""


def arm(seconds: float) -> None:
    """End this process with SIGALRM unless :func:`disarm` is called in time."""
    if signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:  # a target has set its own
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def disarm() -> None:
    """Take back what :func:`arm` set."""
    signal.setitimer(signal.ITIMER_REAL, 0)


class Watchdog:
    """Ends this process when a target has ignored the alarm, or has set its own.

    A thread that needs no interpreter's lock waits; since one is started for each wait, the
    wait begins anew once a second, or for a longer one, and not with each batch.
    """

    def __init__(self) -> None:
        self._next = self._end = 0.0

    def wait(self, seconds: float) -> None:
        """Expect this again within a second and ``seconds``, or :meth:`rest`."""
        now = time.monotonic()
        if now >= self._next or now + seconds > self._end + LATE / 2:
            faulthandler.dump_traceback_later(seconds + LATE, exit=True)
            self._next, self._end = now + 1, now + seconds

    def rest(self) -> None:
        """Expect nothing."""
        faulthandler.cancel_dump_traceback_later()
        self._next = self._end = 0.0


def limit_memory(pid: int, memory: int) -> None:
    """Let a process take ``memory`` bytes beyond what it holds now; nothing where that is unknown.

    A process that has ended, or whose hard limit is lower, is left as it is.
    """
    if not LINUX:
        return
    with contextlib.suppress(OSError, ValueError):
        pages = int(Path(f"/proc/{pid}/statm").read_bytes().split()[5])
        hard = resource.prlimit(pid, resource.RLIMIT_DATA)[1]
        soft = pages * resource.getpagesize() + memory
        if hard != resource.RLIM_INFINITY:
            soft = min(soft, hard)
        resource.prlimit(pid, resource.RLIMIT_DATA, (soft, hard))


def die_with_parent() -> None:
    """Have this process killed when the one that started it is gone (Linux).

    Elsewhere it ends when it finds its standard input closed.
    """
    if _LIBC is not None:
        _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def how_ended(code: int) -> str:
    """Say what ended a process: ``SIGSEGV`` for -11, ``exit code 3`` for 3.

    SIGALRM, which ends a process that :func:`arm` gave its time, is the ``time limit``.
    """
    if code == -signal.SIGALRM:
        return "time limit"
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
