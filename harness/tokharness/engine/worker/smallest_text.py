"""The smallest text that shows the cause of a group of failing texts, in a fresh process too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.engine.worker.batch_columns import observe
from tokharness.engine.worker.budget import Budget
from tokharness.engine.worker.shrinking import shrink
from tokharness.engine.worker.units import sample_evenly
from tokharness.engine.worker.without_cause import NOT_REPRODUCED, is_unexplained
from tokharness.errors import TargetDeath

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tokharness.engine.worker.grouping import Group
    from tokharness.model import Batch, Cause
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

__all__ = ["smallest_text"]

MAX_LONGER, FEW_CALLS = 6, 12
"""Longer texts to try if the smallest one does not fail again, and calls to shrink one of them."""


def smallest_text(
    check: Check, subject: Subject, group: Group, budget: Budget | None = None
) -> tuple[Cause, str]:
    """Shrink the smallest text of a group as long as the same cause may explain it.

    The check itself selects the text as failing, as it did the text of the group.
    """
    cause = group.cause
    texts = [member.text for member in group.members if cause in member.causes]
    text = min(texts, key=lambda t: (len(t), t))
    if is_unexplained(cause):
        return cause, text
    trial = _Trial(check, subject, cause, group.families)
    simplest = subject.target.simplest_fatal_text()
    if simplest and trial.is_explained(simplest):  # each smaller one would be a death, or survive
        shrunk = simplest
    else:
        shrunk = _shrink(text, trial, budget or Budget(subject))
    for candidate in dict.fromkeys((shrunk, text)):
        if (again := trial.reproduced(candidate)) is not None:
            return cause if cause.weak else again, candidate
    if not subject.target.has_own_process:
        return cause, shrunk
    longer = _from_longer(set(texts) - {shrunk, text}, trial)
    return longer or (trial.cause_alone(text) or NOT_REPRODUCED, text)


@dataclass(frozen=True)
class _Trial:
    """Whether a text shows the cause of a group."""

    check: Check
    subject: Subject
    cause: Cause
    families: tuple[str, ...]

    def is_explained(self, text: str) -> bool:
        """Whether the cause may explain this text."""
        return self.cause in self._diagnose(text)

    def fails(self, text: str) -> bool:
        """Whether the check selects the text, alone in a batch of one of the families."""
        failing, columns = self.check.failing, self.check.columns
        if failing is None:
            return True
        try:
            batches = (
                observe(self.subject, family, [text], columns=columns, isolate=True)
                for family in self.families
            )
            return any(
                _was_skipped(batch) or list(failing(batch, self.subject)) for batch in batches
            )
        except TargetDeath:
            return False

    def reproduced(self, text: str) -> Cause | None:
        """Diagnose the text in a fresh process, if that is possible."""
        with self.subject.target.fresh():
            return next((other for other in self._diagnose(text) if other == self.cause), None)

    def cause_alone(self, text: str) -> Cause | None:
        """Return the first cause of the text in a fresh process, which may be another one."""
        with self.subject.target.fresh():
            return next(iter(self._diagnose(text)), None)

    def _diagnose(self, text: str) -> Sequence[Cause]:
        try:
            return self.check.diagnose(text, self.subject) if self.check.diagnose else ()
        except TargetDeath:
            return ()


def _was_skipped(batch: Batch) -> bool:
    """Whether the text was not run, since it resembles one that ends or hangs the process."""
    return batch.ids[0] is None and not batch.errors


def _shrink(text: str, trial: _Trial, budget: Budget) -> str:
    """Shrink a text; only if the check does not select the result, it sees each smaller one too."""
    shrunk = shrink(text, trial.is_explained, is_used_up=budget.is_used_up)
    if shrunk == text or trial.fails(shrunk):
        return shrunk
    return shrink(
        text,
        lambda shorter: trial.is_explained(shorter) and trial.fails(shorter),
        is_used_up=budget.is_used_up,
    )


def _from_longer(texts: Collection[str], trial: _Trial) -> tuple[Cause, str] | None:
    """Find a longer text that shows the cause in a fresh process.

    After a hang the time limit is shorter; a short text may pass within the full limit.
    """
    longer = sorted(texts, key=len)
    for candidate in dict.fromkeys((*sample_evenly(longer, MAX_LONGER), *longer[-1:])):
        if (again := trial.reproduced(candidate)) is not None:
            shrunk = shrink(
                candidate,
                lambda shorter: trial.reproduced(shorter) is not None,
                max_calls=FEW_CALLS,
            )
            return again, shrunk
    return None
