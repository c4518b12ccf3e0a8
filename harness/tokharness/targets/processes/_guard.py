"""The guard of a run: ``python _guard.py VARIABLE MARK`` waits for a line, or the end of its input.

Then it kills the processes whose environment has the mark in this variable. It imports nothing but
the standard library, to start fast.
"""

import os
import signal
import sys
import time

MAX_ROUNDS = 100
"""Most rounds: processes that start others faster than they are killed must not keep the guard."""
START_SECONDS = 0.01
"""How long a round waits for processes that are starting."""
PROC = "/proc"


def main() -> None:
    """Wait, then kill all processes that have the mark."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    variable, mark = map(os.fsencode, sys.argv[1:])
    os.read(0, 1)
    end_all(variable, mark)


def end_all(variable: bytes, mark: bytes) -> None:
    """Kill until no process has the mark, and none is starting that may get it."""
    for _ in range(MAX_ROUNDS):
        starting = any(is_starting(pid) for pid in processes())
        if kill_all(variable, mark):
            continue
        if not starting:
            return
        time.sleep(START_SECONDS)


def processes() -> list[str]:
    """Return the ids of all processes but this one."""
    names = os.listdir(PROC)  # noqa: PTH208 - pathlib is slow to import
    return [name for name in names if name.isdecimal() and int(name) != os.getpid()]


def kill_all(variable: bytes, mark: bytes) -> bool:
    """Kill all processes that have the mark; return whether there was one."""
    found = False
    for pid in processes():
        if has_mark(pid, variable, mark):
            found = True
            try:  # noqa: SIM105 - contextlib takes longer to import than all of this
                os.kill(int(pid), signal.SIGKILL)
            except OSError:
                pass
    return found


def is_starting(pid: str) -> bool:
    """Whether a process is inside ``execve``, where its arguments and environment are empty.

    The call that starts a process may return before its environment is readable, as for 6 to 15 of
    600 processes (Linux). Kernel threads and zombies have no executable either.
    """
    try:
        return not _read(pid, "cmdline") and bool(os.readlink(f"{PROC}/{pid}/exe"))  # noqa: PTH115
    except OSError:
        return False


def has_mark(pid: str, variable: bytes, mark: bytes) -> bool:
    """Whether the environment of a process has the mark; a zombie has none."""
    try:
        entries = _read(pid, "environ").split(b"\0")
    except OSError:
        return False
    return any(entry.startswith(variable + b"=") and mark in entry for entry in entries)


def _read(pid: str, name: str) -> bytes:
    with open(f"{PROC}/{pid}/{name}", "rb") as file:  # noqa: PTH123
        return file.read()


if __name__ == "__main__":
    main()
