"""Time and memory limits for one text, and how they are enforced on a process.

The time limit is a base plus an allowance for each character, so that a million characters are not
mistaken for a hang. The memory limit is what a process may allocate beyond what it held when it was
ready. The kernel enforces both: an interval timer kills the process, even if a thread holds the
interpreter lock, and RLIMIT_DATA, which counts private writable memory only, makes the allocation
fail. The time limit needs POSIX, the memory limit Linux.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
import resource
import signal
import sys
import time
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.errors import UsageError
from tokharness.targets.processes.deadlines import LoadTime, crowding, own_seconds, set_deadline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECONDS_PER_CHARACTER = 20e-6
WARM_UP_SECONDS = 2.0
"""Time limit for the first text of a process, which may take longer than later texts."""

PR_SET_PDEATHSIG = 1
LINUX = sys.platform == "linux"
_LIBC = ctypes.CDLL(None) if LINUX else None


@dataclass(frozen=True, slots=True)
class Limits:
    """``seconds`` for one text, without the allowance for its length; ``memory`` in bytes.

    A ``cold`` process of the target encodes no text before the first request. ``load`` limits the
    seconds for loading a target (:mod:`~tokharness.targets.processes.deadlines`).
    """

    seconds: float = 5.0
    memory: int = 2 << 30
    cold: bool = False
    load: float = 60.0

    def seconds_for(self, characters: int) -> float:
        """Return the time limit for a text of this many characters; longer on a busy machine."""
        return (self.seconds + characters * SECONDS_PER_CHARACTER) * crowding()


CURRENT_LIMITS: ContextVar[Limits] = ContextVar("limits", default=Limits())  # noqa: B039 - frozen
"""The limits of this run, for code that starts a target's process."""


_alarm_at = math.inf  # of this process, as its timer is


def arm_timer(seconds: float) -> None:
    """End this process with SIGALRM unless :func:`disarm_timer` is called in time.

    If the target prevents that, the parent ends it; see
    :mod:`tokharness.targets.processes.deadlines`.
    """
    if signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:  # the target installed a handler
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    global _alarm_at  # noqa: PLW0603
    _alarm_at = time.monotonic() + seconds
    set_deadline(seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def disarm_timer() -> None:
    """Cancel :func:`arm_timer`; end this process if it is too late, and the target caught it."""
    global _alarm_at  # noqa: PLW0603
    remaining, _ = signal.setitimer(signal.ITIMER_REAL, 0)
    if not remaining and time.monotonic() >= _alarm_at:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
        os.kill(os.getpid(), signal.SIGALRM)
    _alarm_at = math.inf
    set_deadline(own_seconds())


LEAST_MEMORY = 300 << 20
"""Bytes of addresses that a worker needs for a small vocabulary and the tables of Unicode."""


def require_memory() -> None:
    """Raise UsageError if a process may have so little memory that healthy targets fail in it."""
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY and soft < LEAST_MEMORY:
        raise UsageError(
            f"a process may have {soft >> 20} MB of memory, and needs {LEAST_MEMORY >> 20}: raise "
            "the limit, as with `ulimit -v unlimited`"
        )


def limit_memory(pid: int, memory: int) -> None:
    """Let a process allocate ``memory`` bytes beyond what it holds now (Linux).

    Does nothing if the process has ended or its memory use is unknown. A lower hard limit stays.
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


def resident_memory(pid: int) -> int:
    """Return the bytes of memory that a process uses; 0 if they are unknown (Linux)."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * resource.getpagesize()
    except (OSError, ValueError):
        return 0


def processor_seconds(pid: int) -> float:
    """Return the processor seconds that a process and its descendants have used (Linux).

    A descendant that has ended counts once its parent has waited for it. 0 if they are unknown.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:  # it has ended, or the system has no such files
        return 0.0
    own = sum(map(int, stat[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(processor_seconds, _children(pid)))


def _children(pid: int | str) -> Iterator[int]:
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # the thread has ended
            yield from map(int, path.read_bytes().split())


def processor_clock(*, with_descendants: bool) -> Callable[[], float]:
    """Return a function that returns the processor seconds of this process so far.

    The processes that it has started count ``with_descendants``, exactly and not in ticks; what was
    seen of a process that has ended stays counted. What the function itself takes is not counted:
    with many processes that is more than a short call. Where the seconds are unknown (not Linux),
    the time that passes is returned instead.
    """
    if not with_descendants:
        return time.process_time
    if not LINUX:
        return time.perf_counter
    by_process: dict[int, float] = {}
    own_cost = 0.0

    def seconds() -> float:
        nonlocal own_cost
        start = time.process_time()
        for pid in _descendants("self"):
            with contextlib.suppress(OSError):  # it has ended
                by_process[pid] = time.clock_gettime(~pid << 3 | 2)  # as clock_getcpuclockid(3)
        used = start - own_cost + sum(by_process.values())
        own_cost += time.process_time() - start
        return used

    return seconds


def _descendants(pid: int | str) -> Iterator[int]:
    for child in _children(pid):
        yield child
        yield from _descendants(child)


class WaitingTime:
    """The seconds that the threads of a process have waited for a processor since now (Linux).

    0 if they are unknown. The system forgets the time of a thread when the thread ends; what was
    seen of it before stays counted, so that the time never goes back. The process is this one by
    default; the processes that it has started count ``with_descendants``.
    """

    def __init__(self, pid: int | str = "self", *, with_descendants: bool = False) -> None:
        self._pid, self._with_descendants = pid, with_descendants
        self._seconds = 0.0
        self._by_thread = dict(self._of_threads(pid))

    def __call__(self) -> float:
        """Return the seconds until now."""
        now = dict(self._of_threads(self._pid))
        before = self._by_thread
        self._seconds += sum(max(now[one] - before.get(one, 0.0), 0.0) for one in now)
        self._by_thread = now
        return self._seconds

    def _of_threads(self, pid: int | str) -> Iterator[tuple[str, float]]:
        for thread in Path(f"/proc/{pid}/task").glob("*"):
            with contextlib.suppress(OSError, IndexError):  # it ended, or there are no such files
                yield thread.name, int((thread / "schedstat").read_bytes().split()[1]) / 1e9
                if self._with_descendants:
                    for child in (thread / "children").read_bytes().split():
                        yield from self._of_threads(int(child))


def load_time_of(pid: int, seconds: float) -> LoadTime:
    """Return the time of a load by a process, which may take so many seconds."""
    return LoadTime(
        seconds, lambda: processor_seconds(pid), WaitingTime(pid, with_descendants=True)
    )


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent ends (Linux).

    On other systems the process ends when its standard input is closed.
    """
    if _LIBC is not None:
        _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def exit_reason(code: int) -> str:
    """Return how a process ended: ``SIGSEGV`` for -11, ``exit code 3`` for 3.

    SIGALRM, the signal of :func:`arm_timer`, is the ``time limit``.
    """
    if code == -signal.SIGALRM:
        return "time limit"
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
