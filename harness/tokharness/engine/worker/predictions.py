"""Causes that predict: a cause that does not is exchanged for one that does, or is a symptom.

A check says whether a cause predicts what its texts and their neighbours give. The texts of a cause
that predicts nothing are diagnosed again without it: what explains them next may be right.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.diagnosis.ids.altered_stages import may_be_by_chance
from tokharness.diagnosis.ids.reference_departures import IN_REFERENCE
from tokharness.engine.worker.budget import is_spent
from tokharness.engine.worker.diagnose_texts import explain_texts
from tokharness.engine.worker.grouping import group_by_cause, is_unexplained
from tokharness.errors import BudgetSpentError, TargetDeath
from tokharness.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tokharness.engine.worker.budget import Budget
    from tokharness.engine.worker.grouping import DiagnosedText, Group
    from tokharness.model import Cause
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

SAMPLE, ROUNDS, SHARE = 60, 3, 1 / 4
"""Texts of a cause that are diagnosed again, how often, and the share of the budget for it."""

LEAST_EXPLAINED = 0.9
"""Least share of the sample that one other cause has to explain."""

MOST_BY_CHANCE = 0.15
"""Most texts of a cause that may be by chance, as a share of the texts of the largest symptom."""


def symptom_unless_it_predicts(check: Check, cause: Cause, group: Group, subject: Subject) -> Cause:
    """Return the cause of a group, which is weak if it predicts nothing."""
    if check.predicts is None or cause.verdict is Verdict.FACT or is_unexplained(cause):
        return cause
    texts = [member.text for member in group.members]
    try:
        return replace(cause, weak=not check.predicts(cause, texts, subject))
    except BudgetSpentError:  # an untried cause is not known to predict
        return replace(cause, weak=True)
    except TargetDeath:  # the target's results are unknown now
        return cause


def predicting_cause(check: Check, group: Group, subject: Subject) -> Cause | None:
    """Return the cause of a group, or another cause of all its texts, if one of them predicts."""
    others = [
        cause
        for cause in group.members[0].causes
        if cause.verdict is not Verdict.FACT
        and cause != group.cause
        and all(cause in member.causes for member in group.members)
    ]
    if group.cause.verdict is Verdict.FACT:
        return group.cause
    candidates = (group.cause, *others)
    causes = (symptom_unless_it_predicts(check, one, group, subject) for one in candidates)
    return next((one for one in causes if not one.weak), None)


def explained_again(
    check: Check, groups: Sequence[Group], subject: Subject, budget: Budget
) -> list[Group]:
    """Return groups in which other causes that predict stand for those that do not."""
    if check.predicts is None or not groups:
        return list(groups)
    members: list[DiagnosedText] = []
    symptoms: set[Cause] = set()
    for group in groups:
        again = None
        is_tried = not budget.is_used_up() and not is_spent(subject)
        if (
            is_tried
            and not is_unexplained(group.cause)
            and not predicting_cause(check, group, subject)
        ):
            again = _with_a_further_cause(check, group, subject, budget.part(SHARE))
            if again is None:
                symptoms.add(group.cause)
        members += again or group.members
    return _without_causes_by_chance(group_by_cause(members), symptoms, subject)


def _without_causes_by_chance(
    groups: list[Group], symptoms: Collection[Cause], subject: Subject
) -> list[Group]:
    """Add the texts of narrow causes to the symptom of most texts.

    A fault of all texts without a known cause has, in some of them, what a border of two characters
    or an exchange of two tokens gives, too.
    """
    first, total = groups[0], sum(len(group.members) for group in groups)
    if first.cause not in symptoms or len(first.members) < total / 2:
        return groups
    narrow = [
        group
        for group in groups[1:]
        if len(group.members) <= MOST_BY_CHANCE * len(first.members) or group.cause in symptoms
        if may_be_by_chance(group.cause, subject)
    ]
    members = [member for group in (first, *narrow) for member in group.members]
    others = [group for group in groups[1:] if group not in narrow]
    return [replace(first, members=tuple(members)), *others]


def _with_a_further_cause(
    check: Check, group: Group, subject: Subject, budget: Budget
) -> list[DiagnosedText] | None:
    """Return the texts of a group with a cause that predicts and that none had; None without one.

    Texts that this cause does not explain keep their causes.
    """
    step = -(-len(group.members) // SAMPLE)
    sample = group.members[::step]
    refuted = {group.cause}
    for _ in range(ROUNDS):
        rows = _explained_without(refuted, sample, check, subject, budget)
        new = [
            one
            for one in group_by_cause(rows)
            if one.cause not in refuted and not is_unexplained(one.cause)
            # That the target does not do what the file says is no fault of the reference.
            if IN_REFERENCE not in one.cause.parameters
        ]
        for one in new:
            is_most = len(one.members) >= LEAST_EXPLAINED * len(sample)
            if is_most and not symptom_unless_it_predicts(check, one.cause, one, subject).weak:
                if step > 1 and len(one.members) < len(sample):
                    rows = _explained_without(refuted, group.members, check, subject, budget)
                others = {row.text for row in rows if one.cause not in row.causes}
                return [
                    member if member.text in others else replace(member, causes=(one.cause,))
                    for member in group.members
                ]
        if not new or budget.is_used_up():
            break
        refuted |= {one.cause for one in new}
    return None


def _explained_without(
    refuted: Collection[Cause],
    members: Sequence[DiagnosedText],
    check: Check,
    subject: Subject,
    budget: Budget,
) -> list[DiagnosedText]:
    """Return texts with what else explains them; fewer texts if the budget is used up."""
    with subject.state.refute(refuted):
        texts = {member.text: member.family for member in members}
        return explain_texts(check, subject, texts, budget)
