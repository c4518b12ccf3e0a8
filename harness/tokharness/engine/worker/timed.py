"""The time that a target has: for a call, or for a batch."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.outcome import Raised, called
from tokharness.targets.processes.limits import arm, disarm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokharness.targets.processes.limits import Limits, Watchdog

__all__ = ["TimedTokenizer", "Timer"]


@dataclass(frozen=True)
class Timer:
    """Ends this process when a target takes longer than it may; a ``stopped`` one never does."""

    limits: Limits
    watchdog: Watchdog
    stopped: bool = False

    @contextlib.contextmanager
    def limit(self, characters: int, share: int = 1) -> Iterator[None]:
        """Within this a target has the time for so many characters, or that share of it."""
        if not self.stopped:
            seconds = self.limits.seconds_for(characters) / share
            arm(seconds)
            self.watchdog.wait(seconds)
        try:
            yield
        finally:
            disarm()


METHODS = {"decode": "decode", "token_bytes": "decode_single_token_bytes"}
TOGETHER = 64
"""Calls that have the time of one between them: to set the timer costs as much as a short call."""


class TimedTokenizer:
    """A tokenizer each call of which ends its process when it takes too long."""

    def __init__(self, tokenizer: Any, clock: Timer) -> None:
        self._tokenizer = tokenizer
        self._clock = clock

    def column_of_each(self, op: str, items: Sequence[Any]) -> list[Any]:
        """A result, or the exception it raised, for each item, as a process of its own gives them.

        ``op`` is ``encode``, of plain text, ``decode`` or ``token_bytes``.
        """
        tokenizer = self._tokenizer
        if op == "encode":
            function = getattr(tokenizer, "encode_ordinary", None) or tokenizer.encode
        else:
            function = getattr(tokenizer, METHODS[op])
        results: list[Any] = []
        for start in range(0, len(items), TOGETHER):
            part = items[start : start + TOGETHER]
            with self._clock.limit(sum(map(_length, part))):
                results += [_result(function, item) for item in part]
        return results

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._tokenizer, name)
        if not callable(value) or name == "with_unicode_version":
            return value

        def timed(*arguments: Any) -> Any:
            with self._clock.limit(_length(arguments[0]) if arguments else 0):
                return value(*arguments)

        vars(self)[name] = timed  # found at once the next time
        return timed


def _length(item: Any) -> int:
    """Characters or ids of what a call is about, 0 of a number."""
    return len(item) if hasattr(item, "__len__") else 0


def _result(function: Callable[..., Any], item: Any) -> Any:
    found = called(function, item)
    return found.error if isinstance(found, Raised) else found
