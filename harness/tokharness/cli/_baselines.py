"""Where a baseline is, what the target under it is called, and dates of acceptances."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.errors import UsageError

if TYPE_CHECKING:
    from tokharness.policy import Policy

__all__ = ["date_of", "file_of", "last_day", "today"]

LONGEST = 80


def file_of(name: str, policy: Policy) -> Path:
    """Path of the baseline of this name, in the folder that the policy names."""
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:LONGEST]
    if not slug:
        raise UsageError(f"the name {name!r} gives no file name: name the target with --name")
    path = policy.folder / f"{slug}.json"
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def today() -> dt.date:
    """Today, in UTC: the same everywhere a baseline is looked at."""
    return dt.datetime.now(dt.UTC).date()


def date_of(word: str | None, option: str) -> dt.date | None:
    """Date of an option; raises UsageError if it is none."""
    if word is None:
        return None
    try:
        return dt.date.fromisoformat(word)
    except ValueError as error:
        raise UsageError(f"{option} takes a date such as 2027-03-31, not {word!r}") from error


def last_day(word: str | None, now: dt.date) -> dt.date | None:
    """Last day of an acceptance; raises UsageError if it is over already."""
    day = date_of(word, "--expires")
    if day is not None and day < now:
        raise UsageError(f"--expires {day} is over already: today is {now}")
    return day
