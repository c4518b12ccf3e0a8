"""A program that serves a tokenizer: start it, read its info, send requests, restart it.

A program that ends, exceeds the time limit or sends an invalid response is killed and reported as a
TargetDeath. The next request restarts it. So a process is started on use, and again after its end.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

from tokharness.boundary.entry_points import plain_entry_point
from tokharness.errors import TargetDeath, TargetError, restored
from tokharness.json_content import parse_json
from tokharness.targets.processes.deadlines import (
    LOAD_LIMIT,
    crowding,
    own_seconds,
    set_deadline,
    without_deadline,
)
from tokharness.targets.processes.json_lines import from_line, to_line
from tokharness.targets.processes.limits import CURRENT_LIMITS, WARM_UP_SECONDS, exit_reason
from tokharness.targets.processes.line_process import LineProcess
from tokharness.targets.processes.protocol import (
    Answer,
    make_request,
    nonsense_death,
    read_info,
    read_object,
    read_results,
    request_line,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType
    from typing import Self

    from tokharness.targets.processes.limits import Limits


GRACE_SECONDS = 0.5
"""Seconds beyond the time limit for an internal program, which enforces the limit itself."""


class Program:
    """A running program; ``info`` is its response to the ``info`` request.

    With a ``spec`` the program is our own :mod:`tokharness.targets.processes.serve` with this
    target. It encodes surrogates as :mod:`tokharness.targets.processes.json_lines` does, and
    enforces the time limit itself.

    Raises:
        TargetError: the program cannot be started, or sends no valid info.

    """

    def __init__(self, argv: Sequence[str], *, spec: str = "") -> None:
        self._argv = list(argv)
        self._display_name = spec or " ".join(self._argv)[:300]
        self._internal = bool(spec)
        self._limits = CURRENT_LIMITS.get()
        if self._internal and self._limits.cold:
            self._argv.append("cold")
        self._process: LineProcess | None = None
        self._lock, self._owner = threading.Lock(), os.getpid()
        self.info = self._start()

    def call(self, op: str, items: Sequence[Any], seconds: float) -> list[Answer]:
        """Send items in one request; raises TargetDeath if no valid response comes in time.

        Threads wait for each other. A fork of this process starts a program of its own.
        """
        self._leave_to_parent()
        with self._lock:
            return self._call(op, items, seconds)

    def _leave_to_parent(self) -> None:
        """Use no pipe of the process of which this one is a fork."""
        if self._owner != os.getpid():
            self._process, self._lock, self._owner = None, threading.Lock(), os.getpid()

    def _call(self, op: str, items: Sequence[Any], seconds: float) -> list[Answer]:
        if self._process is None:
            self._start()
        process: LineProcess = self._process  # type: ignore[assignment] # just started
        request = make_request(op, items)
        set_deadline(seconds + GRACE_SECONDS)
        try:
            if not self._internal:  # an internal program resets its own limit
                process.reset_memory_limit()
            early = process.buffered_line()
            if early is not None:
                raise nonsense_death("before the request", early)
            if self._internal:
                timed_request = to_line({**request, "seconds": seconds})
                line = process.call(timed_request, seconds + GRACE_SECONDS)
            else:
                line = process.call(request_line(request), seconds)
            response = self._read(line)
            if not self._internal or "died" not in response:
                return read_results(op, items, response, line)
        except (TargetDeath, KeyboardInterrupt):  # its response would be read as the next response
            self.close()
            raise
        finally:
            set_deadline(own_seconds())
        # Only the child that served the request has died.
        raise TargetDeath(exit_reason(response["died"]), process.errors.last_line())

    def close(self) -> None:
        """End the process."""
        self._leave_to_parent()
        if self._process is not None:
            self._process.kill()
            self._process = None

    def _start(self, seconds: float | None = None) -> dict[str, Any]:
        """Start the program and return its info; ``seconds`` are left of those for loading.

        A tokenizer may take long for its first text, so that it gets a text as a warm-up. If the
        warm-up crashes an internal program, it is restarted without a warm-up ("cold").
        """
        left = self._limits.load if seconds is None else seconds
        try:
            self._process = self._new_process(left)
            with without_deadline():
                line = self._process.call(request_line({"op": "info"}), None)
            info = read_info(self._read(line), line)
        except OSError as error:
            raise TargetError(
                f"cannot start the program {self._display_name}: {error.strerror}"
            ) from error
        except TargetDeath as death:
            left = min(left, self._process.load_left) if self._process else left
            self.close()
            if self._internal and "cold" not in self._argv and death.reason != LOAD_LIMIT:
                self._argv.append("cold")
                return self._start(left)
            message = f"{self._display_name} cannot be loaded: {_explain(death, self._limits.load)}"
            raise TargetError(message, failure=_failure(death)) from death
        if "error" in info:
            self.close()
            if not self._internal:
                raise TargetError(str(info["error"]), failure="error")
            words = (str(info.get(key, "")) for key in ("kind", "error", "failure"))
            raise restored(*words)
        if not self._internal and not self._limits.cold:
            self._warm_up(info)
        return info

    def _read(self, line: bytes) -> dict[str, Any]:
        return read_object(line, from_line if self._internal else parse_json)

    def _new_process(self, load_seconds: float) -> LineProcess:
        return LineProcess(
            self._argv,
            memory=self._limits.memory,
            load_seconds=load_seconds,
            internal=self._internal,
        )

    def _warm_up(self, info: dict[str, Any]) -> None:
        process: LineProcess = self._process  # type: ignore[assignment] # just started
        try:
            op = plain_entry_point(info.get("ops") or ())
            process.call(request_line(make_request(op, ["a"])), WARM_UP_SECONDS * crowding())
        except TargetDeath:  # reported when a case has this text
            self._process = self._new_process(self._limits.load)


NO_TARGET = ("nonsense", LOAD_LIMIT, "exit code 2", "exit code 126", "exit code 127")
"""Exit codes of a command that is not a target, or is called wrongly.

Interpreters and argument parsers exit with 2, shells that find no program with 126 or 127.
"""


def _failure(death: TargetDeath) -> str:
    """Return how a program ended, without its exit code; "" if it may not be a target at all."""
    if death.reason in NO_TARGET:
        return ""
    return death.reason.rstrip("0123456789 -")


def _explain(death: TargetDeath, seconds: float) -> str:
    detail = f": {death.detail}" if death.detail else ""
    if death.reason == LOAD_LIMIT:
        more = "--load-limit SECONDS allows more"
        return f'it did not answer {{"op": "info"}} within {seconds:.0f} seconds; {more}{detail}'
    if death.reason == "nonsense":
        return death.detail
    return f"its process ended with {death.reason}{detail}"


class OwnedProcess:
    """What starts a process on use; as a context it ends the process."""

    _process: LineProcess | None = None

    def close(self) -> None:
        """End the process; the next use starts another one."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _: type[BaseException] | None,
        __: BaseException | None,
        ___: TracebackType | None,
    ) -> None:
        self.close()


class RestartedProgram(OwnedProcess):
    """The program of a target; as a context it ends the process.

    Attributes:
        spec: The spec of the target.
        limits: The limits of the process.

    """

    def __init__(
        self,
        spec: str,
        argv: Sequence[str],
        limits: Limits,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.spec, self.limits = spec, limits
        self._argv, self._environment = argv, environment

    def started(self) -> LineProcess:
        """Return the process that runs; raises TargetError if it cannot be started."""
        if self._process is None:
            limits = self.limits
            try:
                self._process = LineProcess(
                    self._argv,
                    memory=limits.memory,
                    load_seconds=limits.load,
                    environment=self._environment,
                )
            except OSError as error:
                raise TargetError(f"{self.spec} cannot be started: {error.strerror}") from error
        return self._process
