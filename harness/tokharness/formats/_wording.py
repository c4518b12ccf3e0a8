"""Words that the formats share."""

from __future__ import annotations

from tokharness.escaping import Shown

__all__ = ["INTERRUPTED", "pluralize"]

INTERRUPTED = Shown("the run was interrupted: the report is incomplete")


def pluralize(count: int, noun: str, plural: str = "") -> Shown:
    """Return a count with its noun: "1 case", "2,000 cases"."""
    return Shown("{:,} {}").format(count, noun if count == 1 else plural or f"{noun}s")
