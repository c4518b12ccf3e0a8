"""The guard of a run: ``python _guard.py VARIABLE MARK`` waits for a line, or the end of its input.

Then it kills the processes whose environment has the mark in this variable. It imports nothing but
the standard library, to start fast.
"""

import os
import signal
import sys

__all__ = ["main"]

MAX_ROUNDS = 100
"""A process that starts others faster than they are killed must not keep the guard for ever."""


def main() -> None:
    """Wait, then kill until no process has the mark."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    variable, mark = map(os.fsencode, sys.argv[1:])
    os.read(0, 1)
    for _ in range(MAX_ROUNDS):
        if not kill_all(variable, mark):
            return


def kill_all(variable: bytes, mark: bytes) -> bool:
    """Kill all processes that have the mark; return whether there was one."""
    found = False
    for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib is slow to import
        if name.isdecimal() and int(name) != os.getpid() and has_mark(name, variable, mark):
            found = True
            try:  # noqa: SIM105 - contextlib takes longer to import than all of this
                os.kill(int(name), signal.SIGKILL)
            except OSError:
                pass
    return found


def has_mark(pid: str, variable: bytes, mark: bytes) -> bool:
    """Whether the environment of a process has the mark; a zombie has none."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123
            entries = file.read().split(b"\0")
    except OSError:
        return False
    return any(entry.startswith(variable + b"=") and mark in entry for entry in entries)


if __name__ == "__main__":
    main()
