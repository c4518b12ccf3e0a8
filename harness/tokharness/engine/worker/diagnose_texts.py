"""Diagnose failing texts: the causes that may explain each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.engine.worker.grouping import DiagnosedText, group_by_cause
from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

__all__ = ["NOT_REPRODUCED", "diagnose_texts"]

NOT_REPRODUCED = Cause("state", message="the text failed in the run, but not when it was run alone")

FIRST_DIAGNOSED = 3000
"""Of more failing texts a sample is diagnosed first; its causes are tried first on the others."""


def diagnose_texts(
    check: Check, subject: Subject, failing: Mapping[str, str]
) -> list[DiagnosedText]:
    """Diagnose each text, and all of them again if a later one changes how others are explained."""
    sample = dict(list(failing.items())[:: max(len(failing) // FIRST_DIAGNOSED, 1)])
    diagnosed = _diagnose_until_stable(check, subject, sample)
    if len(sample) < len(failing):
        with subject.state.expect(group.cause for group in group_by_cause(diagnosed)):
            diagnosed = _diagnose_until_stable(check, subject, failing)
    return diagnosed


def _diagnose_until_stable(
    check: Check, subject: Subject, failing: Mapping[str, str]
) -> list[DiagnosedText]:
    if check.diagnose is None:
        return []
    while True:
        subject.diagnosis_pass.begin()
        diagnosed = [
            DiagnosedText(text, family, _causes(check.diagnose, text, subject))
            for text, family in failing.items()
        ]
        if not subject.diagnosis_pass.learned:
            return diagnosed


def _causes(
    diagnose: Callable[[str, Subject], Sequence[Cause]], text: str, subject: Subject
) -> tuple[Cause, ...]:
    """Return the causes of a text, none if it is unknown whether it fails again.

    That is the case if the target hangs or crashes this time, which is reported by itself.
    """
    crashers = getattr(subject.target.tokenizer, "crashers", None)
    deaths = crashers.deaths if crashers else 0
    causes = tuple(diagnose(text, subject))
    if causes and not any(cause.kind == NOT_REPRODUCED.kind for cause in causes):
        return causes
    if crashers and (crashers.deaths > deaths or crashers.is_excluded("encode", text)):
        return ()
    return causes or (NOT_REPRODUCED,)
