"""Ids that differ in the unknown token: a symptom, whatever the reason for the unknown token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = ["unknown_token_causes"]

MESSAGE = "{} gives the unknown token where {} has tokens for the text, or drops it"


def unknown_token_causes(
    ids: Sequence[Any], wanted: Sequence[Any], subject: Subject
) -> list[Cause]:
    """Return the symptom that says which side has more unknown tokens for a text, if one has."""
    sides = (subject.reference, subject.target)
    unknown = {side.unknown_id for side in sides if side is not None} - {None}
    ours, theirs = (sum(number in unknown for number in row) for row in (ids, wanted))
    if ours == theirs:
        return []
    names = ("the target", "the reference")
    more, fewer = names if ours > theirs else reversed(names)
    parameters = (("in", more),)
    return [Cause("unknown token", parameters, message=MESSAGE.format(more, fewer), weak=True)]
