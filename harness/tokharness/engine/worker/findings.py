"""From failing texts to findings: diagnose, group by cause, shrink, confirm in a fresh process."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.checks import stream_differs_from_decode
from tokharness.diagnosis.comparisons import compared
from tokharness.diagnosis.entry_points.contracts import ENTRY_POINTS
from tokharness.diagnosis.ids.equal_added_tokens import is_decided_in_each_process
from tokharness.diagnosis.ids.stages import stage_evidence
from tokharness.diagnosis.probes.other_process import other_process_failure
from tokharness.diagnosis.state import RANDOM_SEGMENTATION, STATE
from tokharness.engine.worker.batch_columns import observe
from tokharness.engine.worker.budget import Budget, DiagnosisBudgets, is_spent
from tokharness.engine.worker.diagnose_texts import explain_texts
from tokharness.engine.worker.grouping import (
    NO_CAUSE,
    NOT_REPRODUCED,
    evidence_of,
    group_by_cause,
    is_unexplained,
    merge_further_causes,
    merge_weak_causes,
    narrow_symptoms,
)
from tokharness.engine.worker.predictions import (
    explained_again,
    predicting_cause,
    symptom_unless_it_predicts,
)
from tokharness.engine.worker.reproduce import (
    batches_with,
    causes_of_text,
    command_for_audit,
    command_for_families,
    command_for_text,
)
from tokharness.engine.worker.shrinking import smallest_text
from tokharness.errors import BudgetSpentError, TargetDeath, TargetError
from tokharness.model import Finding, Verdict
from tokharness.targets.subject_state import SubjectState
from tokharness.unicode import properties, versions
from tokharness.unicode.properties import script

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokharness.engine.worker.attribution import Attribution
    from tokharness.engine.worker.grouping import Group
    from tokharness.model import Cause, Failure, Target, Text
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

# Describe the code points of a sweep that fail: ranges, categories, scripts and ages.

MAX_RANGES = 12
MAX_NAMES = 4


def describe_code_points(characters: Iterable[str]) -> dict[str, Any]:
    """Return ranges of the characters, and counts by category, script and Unicode version."""
    distinct = sorted(set(characters))
    ranges = properties.ranges(map(ord, distinct)).split(", ")
    more = [f"and {len(ranges) - MAX_RANGES} more ranges"] if len(ranges) > MAX_RANGES else []
    return {
        "code_points": len(distinct),
        "ranges": ", ".join([*ranges[:MAX_RANGES], *more]),
        "categories": _counts(map(properties.category, distinct)),
        "scripts": _counts(map(script, distinct)),
        "ages": _counts(map(_age, distinct)),
    }


def summarize_code_points(points: dict[str, Any]) -> str:
    """Summarize the result of :func:`describe_code_points` in one line."""
    count = f"{points['code_points']:,} code points"
    keys = (("categories", "category"), ("scripts", "script"), ("ages", "Unicode"))
    names = [f"{label} {_names(points[key])}" for key, label in keys]
    return "; ".join([count, points["ranges"], *names])


def _age(character: str) -> str:
    age = versions.age(character) or "without it"
    return f"{age} or older" if age == versions.VERSIONS[0] else age


def _counts(values: Iterable[str]) -> dict[str, int]:
    return dict(Counter(values).most_common())


def _names(counts: dict[str, int]) -> str:
    names = list(counts)[:MAX_NAMES]
    return ", ".join(names) + (" and others" if len(counts) > len(names) else "")


SWEEP = "scalar-sweep"
"""The family with one non-ASCII character in each text, so that this character is what fails."""

MAX_CONFIRMED, RUNS = 10_000, 4
"""Most characters of a text that is run again in a fresh process, and how often it is run."""


def diagnose_failures(
    checks: Sequence[Check],
    subject: Subject,
    failing: Mapping[str, Mapping[str, str]],
    load_fresh: Callable[[], Target] | None = None,
    budgets: DiagnosisBudgets | None = None,
    attribution: Attribution | None = None,
) -> dict[str, list[Finding]]:
    """Return the findings of each check by its code, one per cause.

    ``failing`` maps the code of each check to its failing texts with the family of each.
    ``load_fresh`` loads the target in a fresh process, if possible: a text that passes there failed
    because of earlier calls, and its cause is *state*. Texts beyond the budget of a check are
    counted in ``budgets``. With ``attribution``, findings that are faults of the library name it.
    """
    budgets = budgets or DiagnosisBudgets(sum(check.code in failing for check in checks))
    findings = {}
    for check in checks:
        texts = failing.get(check.code, {})
        budget = budgets.next(subject) if texts else Budget(subject)
        found, groups, left = found_groups(check, subject, texts, budget)
        budgets.not_diagnosed[check.code] += left
        findings[check.code] = [
            _examined(check, subject, finding, group, load_fresh, attribution)
            for finding, group in zip(found, groups, strict=True)
        ]
    return findings


def found_groups(
    check: Check, subject: Subject, texts: Mapping[str, str], budget: Budget
) -> tuple[list[Finding], list[Group], int]:
    """Return the finding of each cause of failing texts, and its group of texts.

    The number counts the texts beyond the budget, which are in no group.
    """
    explained = explain_texts(check, subject, texts, budget)
    groups = explained_again(check, group_by_cause(explained), subject, budget)
    groups = merge_further_causes(merge_weak_causes(narrow_symptoms(groups)))
    parts = _parts(budget, len(groups))
    found = [_finding_of_group(check, subject, *one) for one in zip(groups, parts, strict=False)]
    return found, groups, len(texts) - len(explained)


def _examined(
    check: Check,
    subject: Subject,
    finding: Finding,
    group: Group,
    load_fresh: Callable[[], Target] | None,
    attribution: Attribution | None,
) -> Finding:
    """Confirm a finding and attribute it, if there is time."""
    with suppress(BudgetSpentError):
        if not is_spent(subject):
            finding = _confirm(check, subject, finding, load_fresh)
        if attribution is not None and not is_spent(subject):
            texts = [member.text for member in group.members]
            finding = attribution.of_texts(check, finding, texts, subject)
        if not is_spent(subject):
            finding = _with_a_command_that_shows_it(check, subject, finding)
    return finding


def _with_a_command_that_shows_it(check: Check, subject: Subject, finding: Finding) -> Finding:
    """Ask what the command of a finding prints: if its text alone has another cause, run families.

    A cause may need other texts: texts that were run before, or texts that prove its extent.
    """
    if finding.verdict is Verdict.FACT or not isinstance(finding.text, str):
        return finding
    if check.code == stream_differs_from_decode.CODE:  # another stream may leave state in a decoder
        return finding
    if finding.cause == NO_CAUSE or not is_unexplained(finding.cause):
        discoveries = subject.discoveries.before_any_text()
        before = subject.state
        state = SubjectState(files=before.files, answers=before.answers, discoveries=discoveries)
        alone = replace(subject, state=state)
        try:
            found = causes_of_text(check, finding.text, batches_with(finding.text, alone), alone)
        except TargetDeath:
            return finding
        if finding.cause in found:
            return finding
    return replace(finding, reproduce=command_for_families(check, subject, finding.families))


def _parts(budget: Budget, number: int) -> Iterator[Budget]:
    """Yield a budget for each group, with an equal part of the rest."""
    for left in range(number, 0, -1):
        yield budget.part(1 / left)


def _confirm(
    check: Check, subject: Subject, finding: Finding, load_fresh: Callable[[], Target] | None
) -> Finding:
    """Replace the cause of a bug by *state* if its smallest text passes in a fresh process."""
    text = finding.text
    if (
        load_fresh is None
        or check.failing is None
        or finding.verdict is not Verdict.BUG
        or (is_unexplained(finding.cause) and finding.cause != NO_CAUSE)
        or is_decided_in_each_process(finding.cause)
        or not isinstance(text, str)
        or len(text) > MAX_CONFIRMED
    ):
        return finding
    passed: list[str] = subject.cache.get_or_compute("passed in a fresh process", list)
    try:
        files = SubjectState(files=subject.state.files)
        fresh = replace(subject, target=load_fresh(), state=files)
        # Once a text has passed, the texts that were confirmed before may make others fail.
        with fresh.target.fresh() if passed else nullcontext():
            fails = _fails(check, finding, text, fresh)
            evidence = _other_in_a_fresh_process(text, subject, fresh)
        if evidence and (by_process := _of_process(text, subject)):
            return replace(finding, cause=by_process.cause, evidence=by_process.evidence)
    except (TargetDeath, TargetError):  # the result in a fresh process is unknown
        return finding
    if fails:
        return finding
    passed.append(text)
    return replace(finding, cause=replace(NOT_REPRODUCED), evidence=evidence)


def _of_process(text: str, subject: Subject) -> Failure | None:
    """Return the failure of a text on whose ids new processes do not agree.

    Once new processes agree on a text, which takes many processes, no further text is tried.
    """
    agree: set[str] = subject.cache.get_or_compute("processes agree", set)
    failure = None if agree else other_process_failure(text, subject)
    if failure is None:
        agree.add(text)
    return failure


def _other_in_a_fresh_process(text: str, subject: Subject, fresh: Subject) -> dict[str, Any]:
    """Return the ids of a text in this process and in a fresh process, if they differ."""
    try:
        given, expected = subject.encode(text), fresh.encode(text)
    except TargetDeath:
        return {}
    if given == expected or expected is None:
        return {}
    ids = "raises an exception" if given is None else given
    return {"after": "the earlier texts of the run", **compared(ids, expected, subject)}


def _fails(check: Check, finding: Finding, text: str, subject: Subject) -> bool:
    """Whether a text fails in one of a few runs, as many calls as its diagnosis makes with it."""
    for _ in range(RUNS):
        batch = observe(subject, finding.families[0], [text], columns=check.columns, isolate=True)
        if batch.errors or batch.ids[0] is None:
            return True
        if check.failing and list(check.failing(batch, subject)):
            return _is_no_fact(check, text, subject)
    if finding.cause.kind != ENTRY_POINTS or check.diagnose is None:
        return False
    return finding.cause in check.diagnose(text, subject)  # it fails next to other texts alone


def _is_no_fact(check: Check, text: str, subject: Subject) -> bool:
    """Whether a text that a check selects has a cause other than facts."""
    causes = [] if check.diagnose is None else check.diagnose(text, subject)
    return not causes or any(cause.verdict is not Verdict.FACT for cause in causes)


def run_audits(
    checks: Sequence[Check], subject: Subject, attribution: Attribution | None = None
) -> dict[str, list[Finding]]:
    """Return the findings of each check, by its code, about the target as a whole.

    With ``attribution``, findings that are faults of the library name it.
    """
    audited = {
        check: [
            _finding_of_failure(check, subject, failure) for failure in failures(check, subject)
        ]
        for check in checks
        if check.audit is not None
    }
    if attribution is not None:
        audited = {
            check: [attribution.of_audit(check, finding) for finding in found]
            for check, found in audited.items()
        }
    return {check.code: found for check, found in audited.items()}


def failures(check: Check, subject: Subject) -> list[Failure]:
    """Return the failures that the audit of a check yields; the audit runs once in a run."""
    audit = check.audit
    if audit is None:
        return []
    return subject.cache.get_or_compute(f"audit of {check.code}", lambda: list(audit(subject)))


def _finding_of_group(check: Check, subject: Subject, group: Group, budget: Budget) -> Finding:
    try:
        predicting = predicting_cause(check, group, subject)
        group = replace(group, cause=predicting or group.cause)
        cause, text = smallest_text(check, subject, group, budget)
        cause = symptom_unless_it_predicts(check, cause, group, subject)
        shown = {
            **_stages(check, text, cause, subject),
            **evidence_of_text(check, text, cause, subject, fresh=True),
        }
    except BudgetSpentError:  # the finding is reported with a text as it failed
        texts = [member.text for member in group.members if group.cause in member.causes]
        cause = symptom_unless_it_predicts(check, group.cause, group, subject)
        text, shown = min(texts, key=lambda t: (len(t), t)), {}
    # If the smallest text is ASCII, none of the swept characters is what fails.
    swept = set() if text.isascii() else _swept(group)
    evidence = describe_code_points(swept) if len(swept) > 1 else {}
    if evidence and cause.verdict is not Verdict.FACT:
        message = f"{cause.message}; scalar-sweep shows it for {summarize_code_points(evidence)}"
        cause = replace(cause, message=message)
    return Finding(
        spec=subject.target.spec,
        code=check.code,
        name=check.name,
        cause=cause,
        count=len(group.members),
        text=text,
        families=group.families,
        reproduce=command_for_text(check, subject, text, group.families),
        evidence={
            **evidence,
            **evidence_of(check, cause),
            **shown,
        },
    )


def evidence_of_text(
    check: Check, text: Text | None, cause: Cause, subject: Subject, *, fresh: bool = False
) -> Mapping[str, Any]:
    """Return what the target gave for a text, and what was expected, if the check shows it.

    With ``fresh``, a target with a process of its own gets a new process, without earlier texts.
    """
    is_state = cause == STATE and cause.message == STATE.message  # seen, not only supposed
    fails_again = is_state or cause in (NO_CAUSE, RANDOM_SEGMENTATION) or not is_unexplained(cause)
    if check.evidence is None or not isinstance(text, str) or not fails_again:
        return {}
    try:
        with subject.target.fresh() if fresh else nullcontext():
            return check.evidence(text, cause, subject)
    except TargetDeath:  # the text did not end the process before: nothing is known of this call
        return {}


def _stages(check: Check, text: str, cause: Cause, subject: Subject) -> dict[str, str]:
    """Return the text after each stage that differs from the reference's, for its checks."""
    return stage_evidence(text, cause, subject) if "reference" in check.requires else {}


def _swept(group: Group) -> set[str]:
    """Characters that are the only non-ASCII one of a text of the sweep.

    A text of a single character is in the sweep, too, even if another family has it first.
    """
    swept = set()
    for member in group.members:
        if member.family == SWEEP or len(member.text) == 1:
            characters = {character for character in member.text if not character.isascii()}
            swept |= characters if len(characters) == 1 else set()
    return swept if SWEEP in group.families else set()


def _finding_of_failure(check: Check, subject: Subject, failure: Failure) -> Finding:
    return Finding(
        spec=subject.target.spec,
        code=check.code,
        name=check.name,
        cause=failure.cause,
        count=failure.count,
        text=failure.text,
        families=(),
        reproduce=command_for_audit(check, subject, failure),
        evidence={
            **evidence_of_text(check, failure.text, failure.cause, subject),
            **failure.evidence,
        },
    )
