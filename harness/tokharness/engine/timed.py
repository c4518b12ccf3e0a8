"""The time that a target has: for a call, or for a batch."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.processes.limits import arm, disarm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.processes.limits import Limits, Watchdog

__all__ = ["Clock", "Timed"]


@dataclass(frozen=True)
class Clock:
    """Ends this process when a target takes longer than it may; a ``stopped`` one never does."""

    limits: Limits
    watchdog: Watchdog
    stopped: bool = False

    @contextlib.contextmanager
    def within(self, characters: int, share: int = 1) -> Iterator[None]:
        """Within this a target has the time for so many characters, or that share of it."""
        if not self.stopped:
            seconds = self.limits.seconds_for(characters) / share
            arm(seconds)
            self.watchdog.wait(seconds)
        try:
            yield
        finally:
            disarm()


class Timed:
    """A tokenizer each call of which ends its process when it takes too long."""

    def __init__(self, tokenizer: Any, clock: Clock) -> None:
        self._tokenizer = tokenizer
        self._clock = clock

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._tokenizer, name)
        if not callable(value) or name == "with_unicode_version":
            return value

        def timed(*arguments: Any) -> Any:
            first = arguments[0] if arguments else ""
            with self._clock.within(len(first) if hasattr(first, "__len__") else 0):
                return value(*arguments)

        vars(self)[name] = timed  # found at once the next time
        return timed
