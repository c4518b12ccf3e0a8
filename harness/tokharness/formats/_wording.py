"""Words that the formats share."""

from __future__ import annotations

__all__ = ["INTERRUPTED", "pluralize"]

INTERRUPTED = "the run was interrupted: the report is incomplete"


def pluralize(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun: "1 case", "2,000 cases"."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
