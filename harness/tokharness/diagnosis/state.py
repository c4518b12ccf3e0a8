"""The cause of a target that gives different results for the same text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Cause
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

STATE = Cause("state", message="the same text gives a different result on a second call")

RANDOM_SEGMENTATION = Cause(
    "random segmentation",
    message="the same text is cut into other tokens in each call, which decode to the same text, "
    "as with BPE dropout or subword regularization: switch it off outside of training",
)

SENTENCES = (
    *(
        "the quick brown fox jumps over the lazy dog",
        "another one of the brown ones",
        "tokenization",
    ),
    *("unbelievable circumstances", "hello world, how are you today?", "internationalization"),
    *("performance and understanding", "somewhere between the mountains"),
)
CALLS = 40
REPEATS = 48
"""Calls for a text: enough that a rare segmentation occurs in at least one call."""
ENOUGH_CALLS, SHARE = 8, 50
"""Calls after which a call is the last by which less than this part of the texts differs."""

LEAST_SENTENCES = LEAST_DIFFERENT = 3
"""Least sentences with several segmentations, and least segmentations of one of them.

A second path of the code, which is no random segmentation, shows only two segmentations.
"""


def state_cause(subject: Subject) -> Cause:
    """Return the cause of a text that gets different ids when it is encoded again."""
    is_random = subject.cache.get_or_compute(
        "random segmentation", lambda: _segments_at_random(subject)
    )
    return RANDOM_SEGMENTATION if is_random else STATE


BETWEEN = ("a", "the quick brown fox ")
"""Texts of which one leaves other traces in a target than a failing text leaves."""


def state_causes(text: str, ids: Sequence[int], subject: Subject) -> list[Cause]:
    """Return the cause of a text whose ids change in a second call, or after another text."""
    again = subject.encode(text)
    subject.encode(BETWEEN[0])
    changes = again != list(ids) or subject.encode(text) != list(ids)
    return [state_cause(subject)] if changes else []


def random_causes(text: str, subject: Subject) -> list[Cause]:
    """Return the cause of a text that a target segments at random; none for any other text."""
    if state_cause(subject) != RANDOM_SEGMENTATION:
        return []
    rows = (tuple(subject.encode(text) or ()) for _ in range(REPEATS))
    return [RANDOM_SEGMENTATION] if len(set(rows)) > 1 else []


def _segments_at_random(subject: Subject) -> bool:
    different = [_segmentations(text, subject) for text in SENTENCES]
    several = [rows for rows in different if len(rows) > 1]
    if len(several) < LEAST_SENTENCES or max(map(len, several)) < LEAST_DIFFERENT:
        return False
    if all(len(set(map(len, rows))) == 1 for rows in several):
        return False
    return all(len({subject.decode([*ids]) for ids in rows} - {None}) == 1 for rows in several)


def _segmentations(text: str, subject: Subject) -> set[tuple[int, ...]]:
    rows = (subject.encode(text) for _ in range(CALLS))
    return {tuple(ids) for ids in rows if ids is not None}


def changing_rows(target: Target, texts: Sequence[str], ids: Sequence[object]) -> set[int]:
    """Return the places of texts that get different ids than these in one of further calls."""
    found: set[int] = set()
    for number in range(REPEATS):
        before = len(found)
        left = [row for row in range(len(texts)) if row not in found]
        results = target.call_each(target.entry_point, [texts[row] for row in left])
        found |= {
            row
            for row, result in zip(left, results, strict=True)
            if not isinstance(result, Raised) and tuple(result) != ids[row]
        }
        if number >= ENOUGH_CALLS and len(found) - before < len(left) // SHARE:
            break
    return found
