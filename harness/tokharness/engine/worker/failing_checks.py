"""Which checks a text fails: for those who look at one text closely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.run.selection import SMALLEST, missing
from tokharness.engine.worker.observing import observe
from tokharness.outcome import Raised, called

if TYPE_CHECKING:
    from tokharness.plugins import Check
    from tokharness.targets.loading import Loaded

__all__ = ["failing_checks"]

BESIDE = ("a", "", "word", " b")
"""Texts between the text and itself, since some fail among others only."""


def failing_checks(text: str, loaded: Loaded) -> list[Check]:
    """Checks that tell something of a text, if only that it is by design; the cause, a run tells.

    To find the cause is to ask about thousands of other texts.
    """
    subject = loaded.subject
    batch = observe(subject, SMALLEST, [text, *BESIDE, text], isolate=True)
    places = {0, 1 + len(BESIDE)}
    return [
        check
        for check in plugins.checks().values()
        if check.failing is not None
        and not missing(check, loaded, Options())
        and not isinstance(rows := called(check.failing, batch, subject), Raised)
        and not places.isdisjoint(rows)
    ]
