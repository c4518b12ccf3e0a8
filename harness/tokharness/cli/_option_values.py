"""Values of options that click alone does not parse or refuse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["parse_jobs", "parse_size", "refuse_empty", "split_commas", "within_a_day"]

MAX_JOBS = 256
MAX_SECONDS = 86_400
NAMING = {name: f"--{name}" for name in ("against", "select", "ignore", "family", "name")}
NAMING |= {name: f"--{name}" for name in ("config", "journal", "resume", "database")}
NAMING |= {"file": "--baseline"}
"""Parameters whose value is a name or several, with their options."""
MIN_MEMORY, MAX_MEMORY = 1 << 20, 1 << 50
SIZE_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def within_a_day(_: click.Context, __: click.Parameter, seconds: float) -> float:
    """Return the value of an option in seconds, as a callback of click."""
    if not seconds <= MAX_SECONDS:  # also for NaN, which click accepts
        raise click.BadParameter(f"{seconds} is not in the range 0.1<=x<={MAX_SECONDS}.")
    return seconds


def refuse_empty(values: dict[str, Any]) -> None:
    """Raise UsageError for an option whose value names nothing: the default would be used."""
    from tokharness.errors import UsageError

    for name, option in NAMING.items():
        value = values.get(name)
        for one in value if isinstance(value, tuple) else (value,):
            if one is not None and not one.strip(" ,"):
                raise UsageError(f"{option} has an empty value: name something, or omit it")


def split_commas(values: Sequence[str]) -> tuple[str, ...]:
    """Split the values of a repeatable option, each of which may have several between commas."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def parse_size(size: str) -> int:
    """Parse a number of bytes with a unit, such as ``2G``."""
    from tokharness.errors import UsageError

    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([KMGT]?)(?:i?B)?", size, re.IGNORECASE)
    limit = float(match[1]) * SIZE_UNITS[match[2].upper()] if match else 0
    if not MIN_MEMORY <= limit <= MAX_MEMORY:
        raise UsageError(
            f"--memory-limit takes a size such as 512M or 2G, from 1M to 1024T, not {size!r}"
        )
    return int(limit)


def parse_jobs(value: str) -> int:
    """Parse the number of processes of ``--jobs``."""
    from tokharness.engine.run.pool import automatic_jobs
    from tokharness.errors import UsageError

    if value == "auto":
        return automatic_jobs()
    if not value.isdecimal() or int(value) > MAX_JOBS:
        raise UsageError(f"--jobs takes a number from 0 to {MAX_JOBS}, or auto, not {value!r}")
    return int(value)
