"""Which checks a single text fails, for ``tokharness show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.run.selection import SMALLEST_FAMILY, reason_to_skip
from tokharness.engine.worker.batch_columns import observe

if TYPE_CHECKING:
    from tokharness.plugins import Check
    from tokharness.targets.loading import LoadedSubject

__all__ = ["failing_checks"]

OTHERS = ("a", "", "word", " b")
"""Texts between two copies of the text, since some faults need other texts in the batch."""


def failing_checks(text: str, loaded: LoadedSubject) -> list[Check]:
    """Return the checks that select a text, whatever the verdict would be.

    The causes are not determined, since that takes thousands of other texts: run ``check`` for it.
    """
    subject = loaded.subject
    batch = observe(subject, SMALLEST_FAMILY, [text, *OTHERS, text], isolate=True)
    copies = {0, 1 + len(OTHERS)}
    return [
        check
        for check in plugins.checks().values()
        if check.failing is not None
        and not reason_to_skip(check, loaded, Options())
        and not copies.isdisjoint(check.failing(batch, subject))
    ]
