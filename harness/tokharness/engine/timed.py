"""A tokenizer each call of which ends its process when it takes too long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.processes.limits import arm, disarm

if TYPE_CHECKING:
    from tokharness.processes.limits import Limits, Watchdog

__all__ = ["Timed"]


class Timed:
    """The tokenizer, with its methods under the limit of time for what they are given."""

    def __init__(self, tokenizer: Any, limits: Limits, watchdog: Watchdog) -> None:
        self._tokenizer = tokenizer
        self._limits = limits
        self._watchdog = watchdog

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._tokenizer, name)
        if not callable(value) or name == "with_unicode_version":
            return value
        seconds_for, watchdog = self._limits.seconds_for, self._watchdog

        def timed(*arguments: Any) -> Any:
            first = arguments[0] if arguments else ""
            seconds = seconds_for(len(first) if hasattr(first, "__len__") else 0)
            arm(seconds)
            watchdog.wait(seconds)
            try:
                return value(*arguments)
            finally:
                disarm()

        vars(self)[name] = timed  # found at once the next time
        return timed
