"""Diagnose failing texts: the causes that may explain each of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.engine.worker.grouping import DiagnosedText, group_by_cause
from tokharness.engine.worker.without_cause import NOT_REPRODUCED, cause_without_diagnosis
from tokharness.errors import TargetDeath

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.model import Cause
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

__all__ = ["diagnose_texts", "explain_texts"]

FIRST_DIAGNOSED = 3000
"""Of more failing texts a sample is diagnosed first; its causes are tried first on the others."""


def explain_texts(
    check: Check, subject: Subject, failing: Mapping[str, str]
) -> list[DiagnosedText]:
    """Return each failing text with one cause at least."""
    died: set[str] = set()
    return [
        one
        if one.causes
        else replace(one, causes=(_without_diagnosis(check, one, subject, died=one.text in died),))
        for one in diagnose_texts(check, subject, failing, died)
    ]


def diagnose_texts(
    check: Check, subject: Subject, failing: Mapping[str, str], died: set[str] | None = None
) -> list[DiagnosedText]:
    """Diagnose each text, and all of them again if a later one changes how others are explained.

    A text without a cause may not fail again. Texts whose diagnosis ended the target's process are
    added to ``died``, and have none.
    """
    died = set() if died is None else died
    sample = dict(list(failing.items())[:: max(len(failing) // FIRST_DIAGNOSED, 1)])
    diagnosed = _diagnose_until_stable(check, subject, sample, died)
    if len(sample) < len(failing):
        with subject.state.expect(group.cause for group in group_by_cause(diagnosed)):
            diagnosed = _diagnose_until_stable(check, subject, failing, died)
    return diagnosed


def _diagnose_until_stable(
    check: Check, subject: Subject, failing: Mapping[str, str], died: set[str]
) -> list[DiagnosedText]:
    while True:
        subject.diagnosis_pass.begin()
        diagnosed = [
            DiagnosedText(text, family, _causes(check, text, subject, died))
            for text, family in failing.items()
        ]
        if not subject.diagnosis_pass.learned:
            return diagnosed


def _causes(check: Check, text: str, subject: Subject, died: set[str]) -> tuple[Cause, ...]:
    crashers = getattr(subject.target.tokenizer, "crashers", None)
    deaths = crashers.deaths if crashers else 0
    try:
        causes = tuple(check.diagnose(text, subject)) if check.diagnose else ()
    except TargetDeath:
        died.add(text)
        return ()
    if causes and not any(cause.kind == NOT_REPRODUCED.kind for cause in causes):
        return causes
    if crashers and (crashers.deaths > deaths or crashers.is_excluded("encode", text)):
        died.add(text)
        return ()
    return causes


def _without_diagnosis(check: Check, one: DiagnosedText, subject: Subject, *, died: bool) -> Cause:
    return cause_without_diagnosis(check, one.text, one.family, subject, died=died)
