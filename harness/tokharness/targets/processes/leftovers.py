"""The processes that a run leaves behind: they are found by their environment, and killed.

A target may start processes that leave its session, and the command itself may be killed. Every
process of a run inherits a mark in its environment. The guard is a process of tokharness that only
waits: it kills all processes with the mark once the run, or the command, has ended (Linux).
"""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
import sys
from pathlib import Path

from tokharness.targets.processes.limits import LINUX

VARIABLE = "RUNS_OF_PROCESS"  # which does not show a target that it is checked
PROGRAM = Path(__file__).with_name("_guard.py")
END_SECONDS = 10.0


class Guard:
    """The guard of a run; processes that start with its ``environment`` do not outlive the run."""

    def __init__(self) -> None:
        mark = secrets.token_hex(16)
        outer = os.environ.get(VARIABLE)
        self.environment = {**os.environ, VARIABLE: f"{outer}:{mark}" if outer else mark}
        self._popen = _start(mark) if LINUX else None

    def end(self) -> None:
        """Kill all remaining processes of the run; a second call does nothing."""
        if self._popen is not None and self._popen.returncode is None:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                self._popen.communicate(b"\n", timeout=END_SECONDS)


def _start(mark: str) -> subprocess.Popen[bytes]:
    """Start the guard; the pipe to its standard input ends with this process."""
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(PROGRAM), VARIABLE, mark],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
