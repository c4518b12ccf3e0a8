"""Causes for a failing text that its diagnosis does not explain: none is ever lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.state import RANDOM_SEGMENTATION, state_cause
from tokharness.engine.worker.batch_columns import observe
from tokharness.errors import TargetDeath
from tokharness.model import Cause

if TYPE_CHECKING:
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

__all__ = ["NOT_REPRODUCED", "NO_CAUSE", "cause_without_diagnosis", "evidence_of", "is_unexplained"]

NOT_REPRODUCED = Cause("state", message="the text failed in the run, but not when it was run alone")
NO_CAUSE = Cause(
    "no cause is known",
    message="the text fails this check each time, and the check knows no cause of it",
)
REPEATS = 2
DIFFERENTLY, FURTHER = "failed, and differently when run again", "further causes"


def is_unexplained(cause: Cause) -> bool:
    """Whether a cause only says what happens to a text, so that no smaller text is searched.

    A text that is cut at random need not fail again.
    """
    return cause in (NOT_REPRODUCED, RANDOM_SEGMENTATION) or cause.kind in (
        NO_CAUSE.kind,
        DIFFERENTLY,
        FURTHER,
    )


def cause_without_diagnosis(
    check: Check, text: str, family: str, subject: Subject, *, died: bool
) -> Cause:
    """Run a text again that failed a check, and return the cause that says how it ends now.

    ``died`` says that its diagnosis ended the target's process.
    """
    if died:
        return _differently(check, "ends or hangs the target's process")
    first = _outcome(check, text, family, subject)
    if first in (SELECTED, PASSED) and state_cause(subject) == RANDOM_SEGMENTATION:
        return RANDOM_SEGMENTATION
    if any(_outcome(check, text, family, subject) != first for _ in range(REPEATS)):
        return NOT_REPRODUCED
    if first == SELECTED:
        return NO_CAUSE
    return NOT_REPRODUCED if first == PASSED else _differently(check, first)


def evidence_of(check: Check, cause: Cause) -> dict[str, str]:
    """Return how a text ended each time, if it failed differently."""
    if cause.kind != DIFFERENTLY:
        return {}
    return {
        "in the run": f"it failed {check.code} {check.name}",
        "again": dict(cause.parameters)["it"],
    }


SELECTED, PASSED = "it fails", "it passes"


def _outcome(check: Check, text: str, family: str, subject: Subject) -> str:
    """Run the check on a text alone; return SELECTED, PASSED, or how the target fails."""
    if check.failing is None:
        return PASSED
    batch = observe(subject, family, [text], columns=check.columns, isolate=True)
    try:
        if list(check.failing(batch, subject)):
            return SELECTED
    except TargetDeath as death:
        return _words(death, check.name)
    if batch.errors:
        return _words(batch.errors[0], "encode" if batch.ids[0] is None else "decode")
    return PASSED if batch.ids[0] is not None else "resembles texts that end or hang the process"


def _words(error: BaseException, stage: str) -> str:
    if isinstance(error, TargetDeath):
        hangs = error.reason == "time limit"
        return f"hangs {stage}" if hangs else f"ends the process with {error.reason} in {stage}"
    return f"raises {type(error).__name__} in {stage}"


def _differently(check: Check, how: str) -> Cause:
    message = f"the text failed {check.name} in the run; when it is run again, it {how}"
    return Cause(DIFFERENTLY, (("failed", check.name), ("it", how)), message=message)
