"""Ids that are cut off after a number, as a file with a truncation asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.ids.reference_affixes import reference_affixes
from tokharness.diagnosis.ids.stages import POST_PROCESSOR
from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = ["truncated", "truncation_causes"]

WORD, SHORTEST = " a", 64
SIDES = ("right", "left")
"""Where ids may be left out."""


def truncation_causes(ids: Sequence[Any], wanted: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the truncation of the target, if its ids are those of the reference that it leaves."""
    if len(ids) >= len(wanted):
        return []
    cut = subject.cache.get_or_compute(f"truncation to {len(ids)}", lambda: _cut(len(ids), subject))
    if cut is None or truncated(wanted, len(ids), cut) != list(ids):
        return []
    message = f"the target leaves out all ids of a text but {len(ids)}, at its {cut} end"
    parameters = (("truncates to", str(len(ids))), ("at the", cut))
    return [Cause(POST_PROCESSOR, parameters, message=message)]


def truncated(ids: Sequence[Any], most: int, side: str) -> list[Any]:
    """Return so many ids at most: those that are left if others are cut off at one side."""
    return list(ids[:most] if side == "right" else ids[max(len(ids) - most, 0) :])


def _cut(most: int, subject: Subject) -> str | None:
    """Return the side at which the target cuts off the ids of long texts; None if it does not."""
    found = set()
    for words in (most + SHORTEST, most + 2 * SHORTEST):
        text = "".join(f"{WORD}{number % 10}" for number in range(words))
        ids, wanted = subject.encode(text), subject.reference_ids(text)
        if ids is None or wanted is None:
            return None
        own = reference_affixes(subject).without(ids)
        found.add(next((side for side in SIDES if truncated(wanted, most, side) == own), None))
    return found.pop() if len(found) == 1 else None
