"""Diagnose failing texts: the causes that may explain each of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from tokharness.engine.worker.budget import Budget, is_spent
from tokharness.engine.worker.grouping import (
    NOT_REPRODUCED,
    DiagnosedText,
    cause_without_diagnosis,
    group_by_cause,
)
from tokharness.errors import BudgetSpentError, TargetDeath
from tokharness.targets.loading import tokenizer_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.model import Cause
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

DIAGNOSIS_SHARE = 1 / 2
"""Share of a budget for diagnosing all texts; the rest is for the smallest texts of findings."""

USUAL_PASSES, MAX_PASSES = 3, 12
"""Usual number of passes, each of which gets a third of the remaining budget, and their maximum."""

MIN_DIAGNOSED = 100
"""Texts that a pass diagnoses although its part is used up: the first text may take longer than all
others together, because of what its diagnosis prepares."""

MIN_RERUNS = 3
"""Least number of texts without a cause that are run again, to say how they failed."""

FETCHED = 250
"""Texts whose ids are fetched at once: a request for each text takes longer than its diagnosis."""

FIRST_DIAGNOSED = 3000
"""Beyond this number, a sample of texts is diagnosed first; its causes are tried on the others."""


def explain_texts(
    check: Check, subject: Subject, failing: Mapping[str, str], budget: Budget | None = None
) -> list[DiagnosedText]:
    """Return each failing text with at least one cause; fewer texts if the budget is used up."""
    budget = budget or Budget(subject)
    died: set[str] = set()
    explained: list[DiagnosedText] = []
    reruns = 0
    for one in diagnose_texts(check, subject, failing, died, budget.part(DIAGNOSIS_SHARE)):
        causes = one.causes
        if not causes:
            if is_spent(subject) or (reruns >= MIN_RERUNS and budget.is_used_up()):
                continue
            reruns += 1
            causes = (_without_diagnosis(check, one, subject, died=one.text in died),)
        explained.append(replace(one, causes=causes))
    return explained


def diagnose_texts(
    check: Check,
    subject: Subject,
    failing: Mapping[str, str],
    died: set[str] | None = None,
    budget: Budget | None = None,
) -> list[DiagnosedText]:
    """Diagnose each text, and all of them again if a later one changes how others are explained.

    A text without a cause may not fail again. Texts whose diagnosis ended the target's process are
    added to ``died``, and have no cause. Once the budget is used up, the remaining texts are left
    out, first the long texts of each family. At least one text is diagnosed, if the time of calls
    allows it.
    """
    died = set() if died is None else died
    budget = budget or Budget(subject)
    order = {text: place for place, text in enumerate(failing)}
    sample = dict(list(failing.items())[:: max(len(failing) // FIRST_DIAGNOSED, 1)])
    diagnosed = _diagnose_until_stable(check, subject, _spread(sample), died, budget.part(1 / 2))
    if len(sample) < len(failing) and not is_spent(subject):
        rest = {text: family for text, family in failing.items() if text not in sample}
        with subject.state.expect(group.cause for group in group_by_cause(diagnosed)):
            diagnosed = _diagnose_until_stable(
                check, subject, {**_spread(sample), **_spread(rest)}, died, budget
            )
    return sorted(diagnosed, key=lambda one: order[one.text])


def _spread(failing: Mapping[str, str]) -> dict[str, str]:
    """Order texts by turns of families: the shortest text of each family, then the next texts."""
    by_family: dict[str, list[str]] = {}
    for text in sorted(failing, key=lambda text: (len(text), text)):
        by_family.setdefault(failing[text], []).append(text)
    rows = zip_longest(*by_family.values())
    return {text: failing[text] for row in rows for text in row if text is not None}


def _diagnose_until_stable(
    check: Check, subject: Subject, failing: Mapping[str, str], died: set[str], budget: Budget
) -> list[DiagnosedText]:
    """Diagnose in passes; a pass that uses up its budget leaves fewer texts for the next pass."""
    texts = list(failing.items())
    earlier: list[DiagnosedText] = []
    for passes_left in range(MAX_PASSES, 0, -1):
        subject.diagnosis_pass.begin()
        part = budget.part(1 / min(passes_left, USUAL_PASSES))
        diagnosed: list[DiagnosedText] = []
        for number, (text, family) in enumerate(texts):
            try:
                if number % FETCHED == 0:
                    subject.fetch([text for text, _ in texts[number : number + FETCHED]])
                causes = _causes(check, text, subject, died)
            except BudgetSpentError:
                return max(diagnosed, earlier, key=len)
            diagnosed.append(DiagnosedText(text, family, causes))
            if budget.is_used_up() or (part.is_used_up() and len(diagnosed) >= MIN_DIAGNOSED):
                break
        texts, earlier = texts[: len(diagnosed)], diagnosed
        if not subject.diagnosis_pass.learned:
            break
    return diagnosed


def _causes(check: Check, text: str, subject: Subject, died: set[str]) -> tuple[Cause, ...]:
    crashers = getattr(tokenizer_of(subject.target), "crashers", None)
    deaths = crashers.deaths if crashers else 0
    try:
        causes = tuple(check.diagnose(text, subject)) if check.diagnose else ()
    except TargetDeath:
        died.add(text)
        return ()
    if causes and not any(cause.kind == NOT_REPRODUCED.kind for cause in causes):
        return causes
    if crashers and (
        crashers.deaths > deaths or crashers.is_excluded(subject.target.entry_point, text)
    ):
        died.add(text)
        return ()
    return causes


def _without_diagnosis(check: Check, one: DiagnosedText, subject: Subject, *, died: bool) -> Cause:
    return cause_without_diagnosis(check, one.text, one.family, subject, died=died)
