"""A program that serves a tokenizer: start it, hear what it is, ask it, start it anew.

A program that ends, answers too late or answers nonsense is killed, which is told as a TargetDeath;
the next question starts it again.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetDeath, TargetError
from tokharness.targets.processes.json_lines import from_line, to_line
from tokharness.targets.processes.limits import CURRENT, LOAD_SECONDS, how_ended
from tokharness.targets.processes.line_process import LineProcess
from tokharness.targets.processes.protocol import (
    Result,
    ascii_line,
    nonsense,
    question,
    read_object,
    results,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Program"]

GRACE = 1.0
"""Seconds that a process of ours, which holds itself to the limit, may be late."""


class Program:
    """A program, started; ``info`` is what it says of itself.

    A program of ours, ``serving`` the target of a spec, gets and gives surrogates as
    :mod:`tokharness.targets.processes.json_lines` says, and keeps the limit of time itself.

    Raises:
        TargetError: the program cannot be started or does not say what it is.

    """

    def __init__(self, argv: Sequence[str], *, serving: str = "") -> None:
        self._argv = list(argv)
        self._what = serving or " ".join(self._argv)[:300]
        self._ours = bool(serving)
        self._limits = CURRENT.get()
        self._process: LineProcess | None = None
        self.info = self._start()

    def ask(self, op: str, items: Sequence[Any], seconds: float) -> list[Result]:
        """Ask about some items at once; raises TargetDeath if no right answer comes in time."""
        if self._process is None:
            self._start()
        process: LineProcess = self._process  # type: ignore[assignment] # just started
        asked = question(op, items)
        try:
            process.renew_memory()
            early = process.line()
            if early is not None:
                raise nonsense("before it was asked", early)
            if self._ours:
                line = process.ask(to_line({**asked, "seconds": seconds}), seconds + GRACE)
            else:
                line = process.ask(ascii_line(asked), seconds)
            answer = self._read(line)
            if not self._ours or "died" not in answer:
                return results(op, len(items), answer, line)
        except TargetDeath:
            self.close()
            raise
        raise TargetDeath(how_ended(answer["died"]), process.last_words())  # it serves on

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def _start(self) -> dict[str, Any]:
        """Start the program and hear what it is; one of ours that dies of a first text starts cold.

        What a tokenizer does at its first text only may take long, so it has one before the rest.
        """
        try:
            self._process = self._fresh()
            line = self._process.ask(ascii_line({"op": "info"}), LOAD_SECONDS)
            info = self._read(line)
        except OSError as error:
            raise TargetError(f"cannot start {self._what}: {error.strerror}") from error
        except TargetDeath as death:
            self.close()
            if self._ours and "cold" not in self._argv and death.how != "time limit":
                self._argv.append("cold")
                return self._start()
            raise TargetError(f"{self._what} cannot be loaded: {_said(death)}") from death
        if "error" in info:
            self.close()
            raise TargetError(str(info["error"]))
        if not self._ours:
            self._warm_up()
        return info

    def _read(self, line: bytes) -> dict[str, Any]:
        return read_object(line, from_line if self._ours else json.loads)

    def _fresh(self) -> LineProcess:
        return LineProcess(self._argv, memory=self._limits.memory, ours=self._ours)

    def _warm_up(self) -> None:
        process: LineProcess = self._process  # type: ignore[assignment] # just started
        try:
            process.ask(ascii_line(question("encode", ["a"])), LOAD_SECONDS)
        except TargetDeath:  # of this text: it is told when its turn comes
            self._process = self._fresh()


def _said(death: TargetDeath) -> str:
    words = f": {death.words}" if death.words else ""
    if death.how == "time limit":
        return f'it did not answer {{"op": "info"}} within {LOAD_SECONDS:.0f} seconds{words}'
    return death.words if death.how == "nonsense" else f"its process ended with {death.how}{words}"
