"""Time limits on a target that runs in this process: for a call, or for a batch."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.targets.processes.limits import arm_timer, disarm_timer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.processes.limits import Limits


@dataclass(frozen=True)
class Timer:
    """Kills this process when a call takes longer than its limit; never if ``stopped``."""

    limits: Limits
    stopped: bool = False

    @contextlib.contextmanager
    def limit(self, characters: int, divisor: int = 1) -> Iterator[None]:
        """Limit the time of the block to the limit of ``characters``, divided by ``divisor``."""
        self.start(characters, divisor)
        try:
            yield
        finally:
            disarm_timer()

    def start(self, characters: int, divisor: int = 1) -> None:
        """Start the timer for a number of characters; :func:`disarm_timer` ends it."""
        if not self.stopped:
            arm_timer(self.limits.seconds_for(characters) / divisor)


NOT_OF_A_TEXT = (
    *("with_unicode_version", "with_stage_versions", "with_edited_tokens"),
    *("reach", "seams", "merge_orphans", "merges", "scores"),
)
"""Methods that encode no text, and get the time limit of our own code."""

CALLS_PER_TIMER = 64
"""Calls under one timer, since setting a timer costs as much as a short call."""


class TimedTokenizer:
    """Wraps a tokenizer; a call that exceeds its time limit kills this process."""

    def __init__(self, tokenizer: Any, timer: Timer) -> None:
        self._tokenizer = tokenizer
        self._timer = timer

    @property
    def untimed(self) -> Any:
        """The tokenizer itself."""
        return self._tokenizer

    def call_each(self, method: str, items: Sequence[Any]) -> list[Any]:
        """Return the result for each item, or the exception that it raised, as ``Remote`` does."""
        results: list[Any] = []
        for start in range(0, len(items), CALLS_PER_TIMER):
            part = items[start : start + CALLS_PER_TIMER]
            with self._timer.limit(sum(map(_length, part))):
                results += self._tokenizer.call_column(method, part)
        return results

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._tokenizer, name)
        if not callable(value) or name in NOT_OF_A_TEXT:
            return value

        def timed(*arguments: Any) -> Any:
            self._timer.start(_length(arguments[0]) if arguments else 0)
            try:  # not in a context manager, which takes as long as the timer
                return value(*arguments)
            finally:
                disarm_timer()

        vars(self)[name] = timed  # the next access does not come here
        return timed


def _length(item: Any) -> int:
    """Return the number of characters or ids of an argument, 0 for a number."""
    return len(item) if hasattr(item, "__len__") else 0
