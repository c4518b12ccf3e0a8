"""Values of the options of a run, from a command line or from a caller in Python.

Each function takes the name of the option, for its error.
"""

from __future__ import annotations

import re
from operator import index
from typing import TYPE_CHECKING

from tokharness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_JOBS = 256
MIN_SECONDS, MAX_SECONDS = 0.1, 86_400
MIN_MEMORY, MAX_MEMORY = 1 << 20, 1 << 50
SIZE_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def split_commas(values: Iterable[str]) -> tuple[str, ...]:
    """Split the values of a repeatable option, each of which may be a list with commas."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def names_of(names: str | Iterable[str], option: str) -> tuple[str, ...]:
    """Return names, which may be one string; an empty name would select all: UsageError."""
    values = (names,) if isinstance(names, str) else tuple(names)
    for value in values:
        if not value.strip(" ,"):
            raise UsageError(f"{option} has an empty value: name something, or omit it")
    return split_commas(values)


def parse_size(size: str | int, option: str) -> int:
    """Return a number of bytes, also from a text with a unit, such as ``2G``."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([KMGT]?)(?:i?B)?", str(size), re.IGNORECASE)
    limit = float(match[1]) * SIZE_UNITS[match[2].upper()] if match else 0
    if not MIN_MEMORY <= limit <= MAX_MEMORY:
        raise UsageError(
            f"{option} takes a size such as 512M or 2G, from 1M to 1024T, not {size!r}"
        )
    return int(limit)


def parse_seconds(seconds: float, option: str) -> float:
    """Return a time limit."""
    if not MIN_SECONDS <= seconds <= MAX_SECONDS:  # also for NaN
        raise UsageError(
            f"{option} takes seconds from {MIN_SECONDS} to {MAX_SECONDS}, not {seconds!r}"
        )
    return float(seconds)


def parse_examples(number: int, option: str) -> int:
    """Return a number of random cases."""
    if index(number) < 0:
        raise UsageError(f"{option} takes a number from 0 on, not {number}")
    return index(number)


def parse_jobs(value: str | int, option: str) -> int:
    """Return the number of processes; ``auto`` is the number of cores."""
    from tokharness.engine.run.pool import automatic_jobs

    if value == "auto":
        return automatic_jobs()
    if not str(value).isdecimal() or int(value) > MAX_JOBS:
        raise UsageError(f"{option} takes a number from 0 to {MAX_JOBS}, or auto, not {value!r}")
    return int(value)
