"""The smallest text that shows the cause of a group of failing texts, in a fresh process too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.engine.worker.shrinking import shrink
from tokharness.engine.worker.units import sample_evenly
from tokharness.engine.worker.without_cause import NOT_REPRODUCED, is_unexplained
from tokharness.errors import TargetDeath

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.engine.worker.grouping import Group
    from tokharness.model import Cause
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

__all__ = ["smallest_text"]

MAX_LONGER, FEW_CALLS = 6, 12
"""Longer texts to try if the smallest one does not fail again, and calls to shrink one of them."""


def smallest_text(check: Check, subject: Subject, group: Group) -> tuple[Cause, str]:
    """Shrink the smallest text of a group as long as the same cause may explain it."""
    cause = group.cause
    texts = [member.text for member in group.members if cause in member.causes]
    text = min(texts, key=lambda t: (len(t), t))
    if is_unexplained(cause):
        return cause, text

    def diagnose(candidate: str) -> Sequence[Cause]:
        try:
            return check.diagnose(candidate, subject) if check.diagnose else ()
        except TargetDeath:
            return ()

    shrunk = shrink(text, lambda candidate: cause in diagnose(candidate))

    def reproduced(candidate: str) -> Cause | None:
        """Diagnose the text in a fresh process, if that is possible."""
        with subject.target.fresh():
            return next((other for other in diagnose(candidate) if other == cause), None)

    for candidate in dict.fromkeys((shrunk, text)):
        if (again := reproduced(candidate)) is not None:
            return cause if cause.weak else again, candidate
    if not subject.target.has_own_process:
        return cause, shrunk
    # After a hang the time limit is shorter; such a text may pass within the full limit, and a
    # longer one may not.
    longer = sorted(set(texts) - {shrunk, text}, key=len)
    for candidate in dict.fromkeys((*sample_evenly(longer, MAX_LONGER), *longer[-1:])):
        if (again := reproduced(candidate)) is not None:
            shrunk = shrink(
                candidate, lambda shorter: reproduced(shorter) is not None, max_calls=FEW_CALLS
            )
            return again, shrunk
    return NOT_REPRODUCED, text
