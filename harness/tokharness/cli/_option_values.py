"""Values of options that click alone does not parse or refuse."""

from __future__ import annotations

from typing import Any

import click

from tokharness.engine import option_values
from tokharness.engine.option_values import MAX_SECONDS, split_commas

__all__ = ["parse_jobs", "parse_size", "refuse_empty", "split_commas", "within_a_day"]

NAMING = {name: f"--{name}" for name in ("against", "select", "ignore", "family", "name")}
NAMING |= {name: f"--{name}" for name in ("config", "journal", "resume", "database")}
NAMING |= {"file": "--baseline"}
"""Parameters whose value is a name or several, with their options."""


def within_a_day(_: click.Context, __: click.Parameter, seconds: float | None) -> float | None:
    """Return the value of an option in seconds, as a callback of click."""
    if seconds is not None and not seconds <= MAX_SECONDS:  # also for NaN, which click accepts
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


def parse_size(size: str) -> int:
    """Parse the number of bytes of ``--memory-limit``."""
    return option_values.parse_size(size, "--memory-limit")


def parse_jobs(value: str) -> int:
    """Parse the number of processes of ``--jobs``."""
    return option_values.parse_jobs(value, "--jobs")
