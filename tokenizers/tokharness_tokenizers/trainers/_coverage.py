"""The fraction of a corpus that the characters of a vocabulary cover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.errors import UsageError

if TYPE_CHECKING:
    from tokharness.training import TrainingOptions

__all__ = ["character_coverage"]


def character_coverage(options: TrainingOptions, *, default: float) -> float:
    """Return the fraction; raises UsageError if it is none."""
    coverage = default if options.character_coverage is None else options.character_coverage
    if not 0 < coverage <= 1:
        raise UsageError(f"--character-coverage is a fraction up to 1, not {coverage}")
    return coverage
