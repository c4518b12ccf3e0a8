"""What a run is asked to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["FailOn", "Options"]

FailOn = Literal["bug", "risk", "never"]


@dataclass(frozen=True, slots=True)
class Options:
    """Options of one run.

    ``against`` is a spec, ``"none"``, or None for the target's automatic reference. ``select``,
    ``ignore`` and ``families`` are empty for everything. ``examples`` random texts are drawn from
    each family's strategy with ``seed``, beside its enumerated cases. A target has ``time_limit``
    seconds for a text, beside an allowance for its length, and ``memory_limit`` bytes.
    """

    against: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    fail_on: FailOn = "bug"
    seed: int = 0
    examples: int = 100
    time_limit: float = 5.0
    memory_limit: int = 2 << 30
