"""Ids that differ in the unknown token: a symptom, whatever the reason why a text has no token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = ["unknown_token_causes"]

MESSAGES = {
    "the target": "the target gives the unknown token where the reference has tokens for the text",
    "the reference": "the reference gives the unknown token where the target has tokens for the "
    "text",
    "both": "the unknown token stands for another part of the text than in the reference",
}


def unknown_token_causes(
    ids: Sequence[Any], wanted: Sequence[Any], subject: Subject
) -> list[Cause]:
    """Return the symptom that says which side has more unknown tokens for a text."""
    sides = (subject.reference, subject.target)
    unknown = {side.unknown_id for side in sides if side is not None} - {None}
    ours, theirs = (sum(number in unknown for number in row) for row in (ids, wanted))
    if not ours and not theirs:
        return []
    where = "both" if ours and theirs else "the target" if ours else "the reference"
    return [Cause("unknown token", (("in", where),), message=MESSAGES[where], weak=True)]
