"""The cause of a target that gives different results for the same text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Cause

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["RANDOM_SEGMENTATION", "STATE", "random_causes", "state_cause"]

STATE = Cause("state", message="the same text gives a different result on a second call")

RANDOM_SEGMENTATION = Cause(
    "random segmentation",
    message="the same text is cut into other tokens in each call, which decode to the same text, "
    "as with BPE dropout or subword regularization: switch it off outside of training",
)

SENTENCE = "the quick brown fox jumps over the lazy dog and then another one of the brown ones"
CALLS = 12
REPEATS = 48
"""Calls for a text, one of which cuts it differently even if that is rare."""
LEAST_DIFFERENT = 3
"""Different segmentations of the sentence; a cache or a second path of the code gives two."""


def state_cause(subject: Subject) -> Cause:
    """Return the cause of a text that gets different ids when it is encoded again."""
    is_random = subject.cache.get_or_compute(
        "random segmentation", lambda: _segments_at_random(subject)
    )
    return RANDOM_SEGMENTATION if is_random else STATE


def random_causes(text: str, subject: Subject) -> list[Cause]:
    """Return the cause of a text that a target segments at random; none for any other text."""
    if state_cause(subject) != RANDOM_SEGMENTATION:
        return []
    rows = (tuple(subject.encode(text) or ()) for _ in range(REPEATS))
    return [RANDOM_SEGMENTATION] if len(set(rows)) > 1 else []


def _segments_at_random(subject: Subject) -> bool:
    rows = [subject.encode(SENTENCE) for _ in range(CALLS)]
    different = {tuple(ids) for ids in rows if ids is not None}
    if len(different) < LEAST_DIFFERENT or len(set(map(len, different))) == 1:
        return False
    return len({subject.decode(list(ids)) for ids in different} - {None}) == 1
