"""The signals that end the command: SIGINT (Ctrl-C), SIGTERM and SIGHUP.

Before a run, a signal ends the process at once. During a run the first one raises KeyboardInterrupt
where the run waits, and nowhere else: so no result is lost between two instructions, and the run is
reported as far as it came. A second one ends the process at once. Temporary files are deleted; the
processes of targets end with this one.

A signal that the process ignores from its start, as with ``nohup``, stays ignored. Without
:func:`handle_signals`, as in a library, nothing here changes how signals act.
"""

from __future__ import annotations

import atexit
import os
import signal
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

EXIT_CODE = 130
"""Exit code of a command that a signal ended, as shells have it for Ctrl-C."""

SAME_SECONDS = 0.1
"""A signal that follows another one faster is the same one: a terminal and a shell both send it."""

SHOW_CURSOR = b"\x1b[?25h"
"""A progress bar hides the cursor of the terminal."""


@dataclass
class _State:
    """``first`` is the ``time.monotonic()`` of the first signal of a run."""

    deferred: bool = False
    waiting: bool = False
    pending: bool = False
    first: float | None = None
    temporary_files: set[str] = field(default_factory=set)


_state = _State()  # of this process, as signals are


def handle_signals() -> None:
    """Let the signals end this process, in place of Python's traceback."""
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _on_signal)
    atexit.register(_ignore_signals)


def _ignore_signals() -> None:
    """Keep the exit code while Python itself ends."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def defer() -> None:
    """Begin a run: from now on, the first signal interrupts only what is :func:`interruptible`."""
    _state.deferred = True


@contextmanager
def interruptible() -> Iterator[None]:
    """Wait in this block; the first signal, also one before it, raises KeyboardInterrupt here."""
    before = _state.waiting
    try:
        _state.waiting = True
        if _state.pending:
            _state.pending = False
            raise KeyboardInterrupt
        yield
    finally:
        _state.waiting = before


def was_interrupted() -> bool:
    """Whether a signal has arrived since the run began."""
    return _state.first is not None


def register(path: str) -> None:
    """Delete this file, which may not exist yet, if a signal ends the process."""
    _state.temporary_files.add(path)


def _on_signal(_: int, __: FrameType | None) -> None:
    now = time.monotonic()
    if not _state.deferred:
        _end_process()
    elif _state.first is None:
        _state.first = now
        if _state.waiting:
            raise KeyboardInterrupt
        _state.pending = True
    elif now - _state.first > SAME_SECONDS:
        _end_process()


def _end_process() -> NoReturn:
    """End without waiting for threads, buffers or workers, which end when this process does."""
    try:
        for path in _state.temporary_files:
            try:
                os.unlink(path)  # noqa: PTH108 - pathlib is slow to import
            except OSError:
                continue
        on_terminal = os.isatty(2)
        os.write(2, SHOW_CURSOR + b"\n" if on_terminal else b"")
        os.write(2, b"tokharness: interrupted\n")
    finally:
        os._exit(EXIT_CODE)
