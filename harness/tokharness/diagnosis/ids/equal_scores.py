"""Texts with several segmentations of the same score, of which each side takes another one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.ids.stages import MODEL
from tokharness.model import Cause, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

__all__ = ["equal_score_causes"]

PRECISION = 1e-12
"""Relative difference of two sums of the same numbers in another order, at most."""

EQUAL_SCORES = Cause(
    MODEL,
    (("differs", "equal scores"),),
    Verdict.RISK,
    "of several segmentations with the same score the target takes another one, as a library does "
    "that rounds the scores when it reads the file; which one is not defined",
)


def equal_score_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the cause if the ids of both sides spell the same text with the same score."""
    wanted = subject.reference_ids(text)
    sides = (subject.reference, subject.target, subject.explainer)
    scorer = next((one for one in sides if one is not None and one.can("score")), None)
    if scorer is None or wanted is None:
        return []
    ours, theirs = (_spelled_and_score(row, scorer) for row in (ids, wanted))
    if ours is None or theirs is None or ours[0] != theirs[0]:
        return []
    return [EQUAL_SCORES] if math.isclose(ours[1], theirs[1], rel_tol=PRECISION) else []


def _spelled_and_score(ids: Sequence[Any], scorer: Target) -> tuple[str, float] | None:
    texts = scorer.call_each("token_text", ids)
    score = scorer.call("score", list(ids))
    if isinstance(score, Raised) or any(isinstance(text, Raised) for text in texts):
        return None
    return "".join(texts), float(score)
