"""The causes of a single text, for ``tokharness show`` and for the command of a finding."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokharness.diagnosis.special.default_entry_point import FAMILY as SPECIAL_TOKENS
from tokharness.engine.run.selection import SMALLEST_FAMILY
from tokharness.engine.worker.batch_columns import observe
from tokharness.engine.worker.diagnose_texts import explain_texts
from tokharness.engine.worker.grouping import group_by_cause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Batch, Cause
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

OTHERS = ("a", "", "word", " b")
"""Texts between two copies of the text, since some faults need other texts in the batch."""


@dataclass(frozen=True, slots=True)
class CausesOfText:
    """The causes that a check finds for a text alone, and other causes that may explain it."""

    causes: tuple[Cause, ...]
    others: tuple[Cause, ...] = ()

    def __contains__(self, cause: object) -> bool:
        return cause in self.causes or cause in self.others


def batches_with(text: str, subject: Subject) -> list[Batch]:
    """Return batches with two copies of a text, of an ordinary family and of special tokens.

    A check may require more of texts of the family of special tokens.
    """
    batch = observe(subject, SMALLEST_FAMILY, [text, *OTHERS, text], isolate=True)
    return [batch, replace(batch, family=SPECIAL_TOKENS)]


def causes_of_text(
    check: Check, text: str, batches: Sequence[Batch], subject: Subject
) -> CausesOfText:
    """Return the causes of a text, which the check selects in one of the batches.

    The audit of a check examines more than its ``failing``, such as the stream of the first ids.
    Therefore the diagnosis of a check with an audit always runs.
    """
    failing_rows = check.failing
    if failing_rows and any(_selects(failing_rows(batch, subject)) for batch in batches):
        explained = explain_texts(check, subject, {text: SMALLEST_FAMILY})
        causes = tuple(group.cause for group in group_by_cause(explained))
        candidates = dict.fromkeys(cause for one in explained for cause in one.causes)
        return CausesOfText(causes, tuple(c for c in candidates if c not in causes))
    if check.evidence is not None and check.audit is not None and check.diagnose is not None:
        return CausesOfText(tuple(check.diagnose(text, subject))[:1])
    return CausesOfText(())


def _selects(rows: Sequence[int]) -> bool:
    """Whether a copy of the text is among the rows that fail."""
    return not {0, 1 + len(OTHERS)}.isdisjoint(rows)
