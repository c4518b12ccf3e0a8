"""From failing texts to findings: diagnose, group by cause, shrink, add a command to reproduce."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.engine.run.selection import SMALLEST_FAMILY
from tokharness.engine.worker.batch_columns import observe
from tokharness.engine.worker.code_point_summary import describe_code_points, summarize_code_points
from tokharness.engine.worker.grouping import DiagnosedText, Group, group_by_cause
from tokharness.engine.worker.shrinking import shrink
from tokharness.engine.worker.units import sample_evenly
from tokharness.escaping import json_argument
from tokharness.model import Cause, Failure, Finding, Verdict
from tokharness.targets.subject_state import SubjectState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness.model import Target
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

__all__ = [
    "NOT_REPRODUCED",
    "diagnose_failures",
    "diagnose_texts",
    "merge_findings",
    "merge_weak_causes",
    "run_audits",
]

SWEEP = "scalar-sweep"
"""The family with one non-ASCII character in each text, so that this character is what fails."""

NOT_REPRODUCED = Cause("state", message="the text failed in the run, but not when it was run alone")

MAX_CONFIRMED = 10_000
"""Characters of a text that is run again in a fresh process."""

MAX_ARGUMENT = 4000
"""Characters of a text that a command line accepts on every system."""

FIRST_DIAGNOSED = 3000
"""Of more failing texts a sample is diagnosed first; its causes are tried first on the others."""

MAX_LONGER, FEW_CALLS = 6, 12
"""Longer texts to try if the smallest one does not fail again, and calls to shrink one of them."""

MAX_WEAK = 2
"""More weak causes than that in one check are symptoms of one fault."""


def diagnose_failures(
    checks: Sequence[Check],
    subject: Subject,
    failing: Mapping[str, Mapping[str, str]],
    load_fresh: Callable[[], Target] | None = None,
) -> dict[str, list[Finding]]:
    """Return the findings of each check by its code, one per cause.

    ``failing`` maps the code of each check to its failing texts with the family of each.
    ``load_fresh`` loads the target in a fresh process, if that is possible: a text that does not
    fail there fails because of earlier calls, and the cause is *state*.
    """
    return {
        check.code: [
            _confirm(check, subject, _finding_of_group(check, subject, group), load_fresh)
            for group in merge_weak_causes(
                group_by_cause(diagnose_texts(check, subject, failing.get(check.code, {})))
            )
        ]
        for check in checks
    }


def _confirm(
    check: Check, subject: Subject, finding: Finding, load_fresh: Callable[[], Target] | None
) -> Finding:
    """Replace the cause of a bug by *state* if its smallest text passes in a fresh process."""
    text = finding.text
    if (
        load_fresh is None
        or check.failing is None
        or finding.verdict is not Verdict.BUG
        or not isinstance(text, str)
        or len(text) > MAX_CONFIRMED
    ):
        return finding
    fresh = replace(subject, target=load_fresh(), state=SubjectState())
    batch = observe(fresh, finding.families[0], [text], columns=check.columns, isolate=True)
    if batch.errors or batch.ids[0] is None or list(check.failing(batch, fresh)):
        return finding
    # A diagnosis makes more calls with the text than a batch does.
    if check.diagnose and finding.cause in check.diagnose(text, fresh):
        return finding
    return replace(finding, cause=replace(NOT_REPRODUCED), evidence={})


def run_audits(checks: Sequence[Check], subject: Subject) -> dict[str, list[Finding]]:
    """Return the findings of each check, by its code, about the target as a whole."""
    return {
        check.code: [
            _finding_of_failure(check, subject, failure) for failure in check.audit(subject)
        ]
        for check in checks
        if check.audit is not None
    }


def merge_findings(codes: Sequence[str], *parts: Mapping[str, Sequence[Finding]]) -> list[Finding]:
    """Return all findings, worst first; one that several checks report is reported once.

    It belongs to the check with the lowest code, or to the check that owns this kind of cause.
    """
    merged: dict[Cause, Finding] = {}
    owners = {kind: code for code in codes for kind in plugins.checks()[code].owned_causes}
    findings = [finding for code in codes for part in parts for finding in part.get(code, ())]
    for finding in sorted(findings, key=lambda f: owners.get(f.cause.kind) != f.code):
        first = merged.get(finding.cause)
        if first is None:
            merged[finding.cause] = finding
        elif first.code != finding.code:
            shortest = min(first, finding, key=lambda f: len(f.text or ""))
            merged[finding.cause] = replace(
                first,
                text=shortest.text,
                reproduce=shortest.reproduce,
                other_checks=tuple(dict.fromkeys((*first.other_checks, finding.code))),
                count=max(first.count, finding.count),
                families=tuple(sorted({*first.families, *finding.families})),
            )
    return sorted(merged.values(), key=lambda f: (f.verdict.rank, f.code, -f.count, str(f.cause)))


def merge_weak_causes(groups: list[Group]) -> list[Group]:
    """Merge many weak causes into the one that explains the most texts."""
    weak = [group for group in groups if group.cause.weak]
    if len(weak) <= MAX_WEAK:
        return groups
    first = weak[0].cause
    message = f"{first.message}; {len(weak) - 1} other changes like it are reported with this one"
    merged = Group(
        replace(first, message=message),
        tuple(member for group in weak for member in group.members),
    )
    return [*(group for group in groups if not group.cause.weak), merged]


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


def _finding_of_group(check: Check, subject: Subject, group: Group) -> Finding:
    cause, text = _smallest(check, subject, group)
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
        reproduce=_reproduce(check, subject, text, group.families),
        evidence=evidence,
    )


def _swept(group: Group) -> set[str]:
    """Characters that are the only non-ASCII one of a text of the sweep."""
    swept = set()
    for member in group.members:
        if member.family == SWEEP:
            characters = {character for character in member.text if not character.isascii()}
            swept |= characters if len(characters) == 1 else set()
    return swept


def _smallest(check: Check, subject: Subject, group: Group) -> tuple[Cause, str]:
    """Shrink the smallest text of a group as long as the same cause may explain it."""
    cause, diagnose = group.cause, check.diagnose
    texts = [member.text for member in group.members if cause in member.causes]
    text = min(texts, key=lambda t: (len(t), t))
    if cause == NOT_REPRODUCED or diagnose is None:
        return cause, text
    shrunk = shrink(text, lambda candidate: cause in diagnose(candidate, subject))

    def reproduced(candidate: str) -> Cause | None:
        """Diagnose the text in a fresh process, if that is possible."""
        with subject.target.fresh():
            return next((other for other in diagnose(candidate, subject) if other == cause), None)

    for candidate in dict.fromkeys((shrunk, text)):
        if (again := reproduced(candidate)) is not None:
            return cause if cause.weak else again, candidate
    if not subject.target.has_own_process:
        return cause, shrunk
    # After a hang the time limit is shorter; such a text may pass within the full limit, and a
    # longer one may not.
    longer = sorted(set(texts) - {shrunk, text}, key=len)
    for candidate in dict.fromkeys((*sample_evenly(longer, MAX_LONGER), *longer[-1:])):
        if (again := reproduced(candidate)) is not None:
            shrunk = shrink(
                candidate, lambda shorter: reproduced(shorter) is not None, max_calls=FEW_CALLS
            )
            return again, shrunk
    return NOT_REPRODUCED, text


def _reproduce(check: Check, subject: Subject, text: str, families: tuple[str, ...]) -> str:
    """Return a command that shows the failure: of the text, unless it is too long for a shell."""
    spec, argument = subject.target.spec, json_argument(text)
    if len(argument) <= MAX_ARGUMENT:
        specs = [spec] if subject.reference is None else [spec, subject.reference.spec]
        return " ".join(["tokharness", "show", "--json", argument, *map(shlex.quote, specs)])
    words = ["tokharness", "check", spec, "--select", check.code, "--family", families[0]]
    if subject.reference is not None:
        words += ["--against", subject.reference.spec]
    return " ".join(map(shlex.quote, words))


def _finding_of_failure(check: Check, subject: Subject, failure: Failure) -> Finding:
    words = ["tokharness", "check", shlex.quote(subject.target.spec), "--select", check.code]
    # An audit needs no text, but a run needs a family; a cause about families needs all of them.
    words += [] if "family" in dict(failure.cause.parameters) else ["--family", SMALLEST_FAMILY]
    if subject.reference is not None and "reference" in check.requires:
        words += ["--against", shlex.quote(subject.reference.spec)]
    return Finding(
        spec=subject.target.spec,
        code=check.code,
        name=check.name,
        cause=failure.cause,
        count=failure.count,
        text=failure.text,
        families=(),
        reproduce=" ".join(words),
        evidence=failure.evidence,
    )
