"""A computation in a forked copy of this process, which ends if it takes too long or too much.

A stranger's file may cost our own code any time and memory: a pattern that never ends, a normalizer
that repeats itself, a number that stands for gigabytes. In a copy, the file costs the command only
the wait. The limit is on processor time, of all processes of the copy together
(:mod:`~tokharness.targets.processes.deadlines`), so that a busy machine refuses no healthy file.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import sys
import threading
import traceback
from typing import TYPE_CHECKING, Any

from tokharness.errors import InternalError, TargetError, TokharnessError, restored
from tokharness.interrupts import interruptible
from tokharness.plugins.spec_paths import changed_path, identities_of
from tokharness.targets.processes.limits import (
    CURRENT_LIMITS,
    die_with_parent,
    exit_reason,
    limit_memory,
    load_time_of,
)
from tokharness.targets.processes.line_process import CHUNK, LOOK_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.targets.processes.deadlines import LoadTime

MEMORY = 900 << 20
"""Bytes that the computation may allocate beyond the memory of this process."""


def isolated(
    function: Callable[[], str], specs: Sequence[str], *, seconds: float | None = None
) -> str:
    """Return the text that a function makes of targets, computed in a copy of this process.

    Each target may take ``seconds`` of processor time, by default the limit of a load. A process
    with several threads cannot be copied: the function is then called in this process.

    Raises:
        TokharnessError: the function raised it.
        TargetError: the function took too long, or too much memory, or its process ended, or a file
            of a target changed meanwhile.
        InternalError: the function raised any other exception.

    """
    files = identities_of(specs)
    text = _isolated(function, specs, seconds)
    if (changed := changed_path(files)) is not None:
        raise TargetError(f"{changed} changed while it was read: run the command again")
    return text


def _isolated(function: Callable[[], str], specs: Sequence[str], seconds: float | None) -> str:
    if threading.active_count() > 1:
        return function()
    seconds = CURRENT_LIMITS.get().load if seconds is None else seconds
    limit = seconds * max(len(specs), 1)
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _respond(function, writing)
    os.close(writing)
    names = " or ".join(specs)
    data = None
    try:
        data = _received(reading, load_time_of(child, limit))
    finally:
        os.close(reading)
        if data is None:
            os.kill(child, signal.SIGKILL)  # not reaped yet, as nothing has waited for it
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if data is None:
        raise TargetError(
            f"{names}: our own code takes more than {limit:g} seconds of the processor for it; "
            "look at its patterns and its normalizer"
        )
    return _read(data, names, code)


def _respond(function: Callable[[], str], writing: int) -> None:
    """Call the function, write its result or exception, and end this process."""
    try:
        os.setsid()  # a Ctrl-C is for the parent, which ends this process
        die_with_parent()
        limit_memory(os.getpid(), MEMORY)
        data = json.dumps(_response(function)).encode("ascii")
        while data:
            data = data[os.write(writing, data) :]
    finally:
        os._exit(0)


def _response(function: Callable[[], str]) -> dict[str, str]:
    try:
        return {"text": function()}
    except TokharnessError as error:
        return {"error": type(error).__name__, "message": str(error)}
    except MemoryError:
        return {"error": TargetError.__name__, "message": ""}
    except BaseException as error:
        return {
            "error": InternalError.__name__,
            "message": f"{type(error).__name__}: {error}",
            "note": traceback.format_exc(),
        }


def _received(reading: int, time: LoadTime) -> bytes | None:
    """Return the output of the copy until it is closed; None if the time is over."""
    data = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(reading, selectors.EVENT_READ)
        while not time.is_over():
            with interruptible():
                ready = selector.select(LOOK_SECONDS)
            if ready:
                chunk = os.read(reading, CHUNK)
                if not chunk:
                    return bytes(data)
                data += chunk
    return None


def _read(data: bytes, names: str, code: int) -> str:
    """Return the text in a response; raises the exception that it reports."""
    try:
        response: dict[str, Any] = json.loads(data)
    except ValueError:
        raise TargetError(
            f"{names}: the process that reads it ended with {exit_reason(code)}"
        ) from None
    if "text" in response:
        return str(response["text"])
    message = response["message"] or (
        f"{names}: our own code takes more than {MEMORY >> 20} MB of memory for it"
    )
    error = restored(response["error"], message)
    if "note" in response:
        error.add_note(response["note"])
    raise error
