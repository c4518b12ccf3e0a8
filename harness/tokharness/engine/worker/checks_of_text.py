"""Which checks a single text fails, and with which causes, for ``tokharness show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.run.selection import SMALLEST_FAMILY, reason_to_skip
from tokharness.engine.worker.batch_columns import observe
from tokharness.engine.worker.diagnose_texts import explain_texts
from tokharness.engine.worker.grouping import group_by_cause

if TYPE_CHECKING:
    from tokharness.model import Cause
    from tokharness.plugins import Check
    from tokharness.targets.loading import LoadedSubject

__all__ = ["causes_of_checks"]

OTHERS = ("a", "", "word", " b")
"""Texts between two copies of the text, since some faults need other texts in the batch."""


def causes_of_checks(text: str, loaded: LoadedSubject) -> list[tuple[Check, list[Cause]]]:
    """Return the checks that select a text, with the causes of each, of any verdict."""
    subject = loaded.subject
    batch = observe(subject, SMALLEST_FAMILY, [text, *OTHERS, text], isolate=True)
    copies = {0, 1 + len(OTHERS)}
    selecting = [
        check
        for check in plugins.checks().values()
        if check.failing is not None
        and not reason_to_skip(check, loaded, Options())
        and not copies.isdisjoint(check.failing(batch, subject))
    ]
    failing = {text: SMALLEST_FAMILY}
    return [
        (check, [group.cause for group in group_by_cause(explain_texts(check, subject, failing))])
        for check in selecting
    ]
