"""Responses of a worker: what each request expects, errors, and targets that are slow or hopeless.

===============================  ==================================================================
``{"error": MESSAGE}``           an error of the user: :class:`~tokharness.errors.TokharnessError`
``{"died": REASON, "detail"}``   the target's process died: :class:`~tokharness.errors.TargetDeath`
``{"internal": MESSAGE, ...}``   a bug in tokharness; ``traceback`` is that of the worker
``{"plugin": MESSAGE, ...}``     an error of a plugin; ``traceback`` is empty if it did not raise
``{"unanswered": ROWS, "spec"}`` :class:`~tokharness.engine.responses.NoAnswerError`
``{"not_loaded": MESSAGE, ...}`` :class:`~tokharness.engine.responses.NotLoadedError`
===============================  ==================================================================

A response with the results of several plugins has the first such record as ``failed``. A worker
whose response is anything else has been damaged by the target in its process: it counts as dead.

A target is slow if a run of it takes more than ten times its usual time.
"""

from __future__ import annotations

import os
import threading
import time
import traceback
from typing import TYPE_CHECKING, Any

from tokharness.engine.response_shapes import fits
from tokharness.errors import (
    INTERNAL_ERROR,
    InternalError,
    NotInstalledError,
    PluginError,
    TargetDeath,
    TokharnessError,
)
from tokharness.outcome import Raised
from tokharness.targets.comparison import check_answers
from tokharness.targets.packed_digests import unpack
from tokharness.targets.processes.json_lines import from_line
from tokharness.targets.processes.protocol import nonsense_death

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.engine.events import SlowTarget
    from tokharness.engine.requests import Request
    from tokharness.model import Target
    from tokharness.targets.subject import Subject


# A target that exists and does not load: a fault of the target if its reference loads.


class NotLoadedError(TokharnessError):
    """A target exists and fails while it is loaded.

    ``failure`` is the field of :class:`~tokharness.errors.TargetError`. ``other`` is the spec of
    the reference, if the reference loads, and otherwise "".
    """

    def __init__(self, spec: str, failure: str, message: str, other: str = "") -> None:
        self.spec, self.failure, self.other = spec, failure, other
        super().__init__(message)


# The first texts of a target that may be hopeless: it hangs or dies on each of them.
#
# A run stops after these texts, unless its options say to keep going: any text would take as long.

FIRST_TEXTS = ("hello", "The cat sat.", "1 + 2")
"""Plain texts; the target gives an answer if it encodes one of them and decodes the ids."""


class NoAnswerError(TokharnessError):
    """A target hangs or dies on each of the first texts.

    ``rows`` has the entry point, the text, the reason and the detail of each death.
    """

    def __init__(self, spec: str, rows: Sequence[Sequence[str]]) -> None:
        self.rows = rows
        self.spec = spec
        super().__init__(f"{spec} hangs or dies on each of the first texts: {rows[0][2]}")


def require_an_answer(target: Target) -> None:
    """Run the first texts of a target that has a process of its own, or that took all memory.

    An exception is an answer, unless it says that no memory is left.

    Raises:
        NoAnswerError: the process hangs, dies, or takes all memory on each text.

    """
    rows = []
    for text in FIRST_TEXTS:
        death = _death(target, text)
        if death is None:
            return
        stage, error = death
        rows.append([stage, text, error.reason, error.detail])
    raise NoAnswerError(target.spec, rows)


def _death(target: Target, text: str) -> tuple[str, TargetDeath] | None:
    ids = target.encode(text)
    stage, result = ("encode", ids) if isinstance(ids, Raised) else ("decode", target.decode(ids))
    error = result.error if isinstance(result, Raised) else None
    if isinstance(error, MemoryError):
        error = TargetDeath("memory limit", str(error))
    return (stage, error) if isinstance(error, TargetDeath) else None


def error_response(error: Exception) -> dict[str, Any]:
    """Return the response for an exception of an operation."""
    if _is_refused_a_thread(error):
        return {"plugin": NO_THREAD, "traceback": ""}
    if isinstance(error, PluginError):
        return {"plugin": str(error), "traceback": _traceback(error) if error.__cause__ else ""}
    if isinstance(error, NoAnswerError):
        return {"unanswered": error.rows, "spec": error.spec}
    if isinstance(error, NotLoadedError):
        fields = {"spec": error.spec, "failure": error.failure, "other": error.other}
        return {"not_loaded": str(error), **fields}
    if isinstance(error, NotInstalledError):
        return {"not_installed": str(error)}
    if isinstance(error, TokharnessError):
        return {"error": str(error)}
    if isinstance(error, TargetDeath):
        return {"died": error.reason, "detail": error.detail}
    if isinstance(error, MemoryError):  # the target in this process has used up the memory
        return {"died": "memory limit", "detail": ""}
    return {"internal": f"{type(error).__name__}: {error}", "traceback": _traceback(error)}


NO_THREAD = (
    "no thread can be started, though few are running: allow more processes, as with `ulimit -u` "
    "or the limit of the container"
)
FEW_THREADS = 32
"""Number of threads; a process whose target exhausts the limit of threads has more."""


def _is_refused_a_thread(error: BaseException) -> bool:
    """Whether the system refuses this process a thread although the target has not started many."""
    if "can't start new thread" not in str(error.__cause__ or error):
        return False
    try:
        return len(os.listdir("/proc/self/task")) < FEW_THREADS  # noqa: PTH208 - only their number
    except OSError:  # not Linux
        return threading.active_count() < FEW_THREADS


def _traceback(error: Exception) -> str:
    return "".join(traceback.format_exception(error))


def read_response(request: Request, line: bytes, *, trusted: bool) -> dict[str, Any]:
    """Return the response of a line, or raise the exception that it reports.

    A ``trusted`` worker does not run the target in its process: an error of our code is then a bug
    of our code, and an error of a plugin is a bug of the plugin.

    Raises:
        TargetDeath: the line is not a response to this request, or reports a death; or it reports
            an error of our code or of a plugin, and the worker is not trusted.

    """
    try:
        response = from_line(line)
    except (ValueError, RecursionError):
        raise nonsense_death("text that is not JSON", line) from None
    if not fits(request, response):
        raise nonsense_death("something else than a response", line)
    if not _is_packed(response.get("digest", "")):
        raise nonsense_death("a digest that is none", line)
    if not _are_answers(response.get("answers", {})):
        raise nonsense_death("an answer that is none", line)
    if not trusted and (error := _own_error(response)):
        raise TargetDeath(INTERNAL_ERROR, error)
    return raise_for_error(response)


def _is_packed(digest: str) -> bool:
    """Whether the digest of a unit, which may be empty, can be read."""
    try:
        return not digest or bool(unpack(digest))
    except ValueError:
        return False


def _are_answers(answers: dict[str, str]) -> bool:
    """Whether the answers of the reference can be read."""
    try:
        check_answers(answers)
    except ValueError:
        return False
    return True


def _own_error(response: dict[str, Any]) -> str | None:
    """Return the error of our code or a plugin that the target in the process may have caused."""
    record = response.get("failed", response)
    message: str | None = record.get("internal", record.get("plugin"))
    return None if message == NO_THREAD else message


def raise_for_error(response: dict[str, Any]) -> dict[str, Any]:
    """Return a response, or raise the exception that it reports."""
    if "unanswered" in response:
        raise NoAnswerError(response["spec"], response["unanswered"])
    if "not_loaded" in response:
        message = response["not_loaded"]
        raise NotLoadedError(response["spec"], response["failure"], message, response["other"])
    if "not_installed" in response:
        raise NotInstalledError(response["not_installed"])
    if "error" in response:
        raise TokharnessError(response["error"])
    if "died" in response:
        raise TargetDeath(response["died"], response["detail"])
    if "plugin" in response:
        raise _plugin_error(response)
    if "internal" in response:
        error = InternalError(response["internal"])
        error.add_note(response["traceback"])
        raise error
    return response


def plugin_error(response: dict[str, Any]) -> PluginError | None:
    """Return the plugin's error that a response with results reports; None without an error."""
    return _plugin_error(response["failed"]) if "failed" in response else None


def _plugin_error(record: dict[str, Any]) -> PluginError:
    error = PluginError(record["plugin"])
    if record["traceback"]:
        error.add_note(record["traceback"])
    return error


USUAL_SECONDS = 60e-6
"""Seconds that a worker needs to encode, decode and check a text with a target of usual speed."""

SLOW_FACTOR = 10
SLOW_SECONDS = SLOW_FACTOR * USUAL_SECONDS
"""Seconds from which on the encoding and decoding of one text are slow."""

LEAST_SECONDS = 30.0
"""Seconds of the shortest run that is reported as slow."""


def seconds_per_text(subject: Subject) -> float:
    """Return how long the target takes to encode and decode a short text.

    The shortest of several calls counts, since the first call may be slow.
    """
    shortest = float("inf")
    for text in FIRST_TEXTS:
        begin = time.perf_counter()
        subject.target.round_trip(text)
        shortest = min(shortest, time.perf_counter() - begin)
        if shortest < SLOW_SECONDS:
            break
    return shortest


def slow_target(spec: str, texts: int, text_seconds: float, jobs: int) -> SlowTarget | None:
    """Return the event for so many texts and ``jobs`` workers; None if the target is not slow."""
    usual_seconds = texts * USUAL_SECONDS / jobs
    seconds = texts * text_seconds / jobs
    if seconds < max(LEAST_SECONDS, SLOW_FACTOR * usual_seconds):
        return None
    from tokharness.engine.events import SlowTarget  # no worker needs the events

    return SlowTarget(spec, texts, seconds, usual_seconds)
