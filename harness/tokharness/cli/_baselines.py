"""Paths of baselines, and the dates of acceptances."""

from __future__ import annotations

import datetime as dt
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.errors import UsageError
from tokharness.project import require_inside, root_of

if TYPE_CHECKING:
    from tokharness.policy import Policy

MAX_LENGTH = 80
"""Characters of a file name, without its suffix."""


def baseline_path(name: str, file: str | None, policy: Policy) -> Path:
    """Return the path of ``file``, or else of the baseline with this name in the policy's folder.

    Raises:
        UsageError: the name is not usable, or a path in the project leads out of the project.

    """
    path = Path(file) if file else _path_of_name(name, policy)
    root = root_of(Path.cwd())
    if Path(os.path.abspath(path)).is_relative_to(root):  # noqa: PTH100 - links stay
        require_inside(path, root, "the baseline")
    return path


def _path_of_name(name: str, policy: Policy) -> Path:
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:MAX_LENGTH]
    if not slug:
        raise UsageError(f"the name {name!r} is not a usable file name: give another with --name")
    path = policy.folder / f"{slug}.json"
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def today() -> dt.date:
    """Today in UTC, so that all machines that use a baseline agree."""
    return dt.datetime.now(dt.UTC).date()


def parse_date(value: str | None, option: str) -> dt.date | None:
    """Parse the date of an option; raises UsageError if it is not a date."""
    if value is None:
        return None
    try:
        return dt.date.fromisoformat(value)
    except ValueError as error:
        raise UsageError(f"{option} takes a date such as 2027-03-31, not {value!r}") from error


def parse_expiry(value: str | None, now: dt.date) -> dt.date | None:
    """Parse the last day of an acceptance; raises UsageError if it is in the past."""
    day = parse_date(value, "--expires")
    if day is not None and day < now:
        raise UsageError(f"--expires {day} is in the past: today is {now}")
    return day
