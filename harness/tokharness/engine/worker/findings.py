"""From failing texts to findings: diagnose, group by cause, shrink, say how to see it again."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.engine.run.selection import SMALLEST
from tokharness.engine.worker.code_points import describe_code_points, summarize_code_points
from tokharness.engine.worker.grouping import DiagnosedText, Group, group_by_cause
from tokharness.engine.worker.observing import observe
from tokharness.engine.worker.shrinking import shrink
from tokharness.engine.worker.units import sample_evenly
from tokharness.escaping import json_argument
from tokharness.model import Cause, Failure, Finding, Verdict

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
"""The family that tries each character in texts of ASCII, so that it is the one that fails."""

NOT_REPRODUCED = Cause(
    "state", message="fails once in a run, but not when the same text is asked about alone"
)

LONGEST_CONFIRMED = 10_000
LONGEST_ARGUMENT = 4000
"""Characters of a text that a command line takes on every system."""

FIRST_DIAGNOSED = 3000
"""Of more failing texts some are diagnosed first; what explains them is tried first on all."""

MOST_LONGER, FEW = 6, 12
"""Texts that are tried where the smallest does not fail again, and how often one is made smaller.
"""

MOST_WEAK = 2
"""More weak causes than that in one check are ways in which one fault shows."""


def diagnose_failures(
    checks: Sequence[Check],
    subject: Subject,
    failing: Mapping[str, Mapping[str, str]],
    fresh: Callable[[], Target] | None = None,
) -> dict[str, list[Finding]]:
    """Findings of each check, by its code, one a cause.

    ``failing`` has, for the code of each check, the failing texts with the family of each.
    ``fresh`` gives the target in a process that has seen nothing else, if there can be one: a text
    on which the check does not fail there fails because of what came before it.
    """
    return {
        check.code: [
            _confirmed(check, subject, _finding_of_group(check, subject, one), fresh)
            for one in merge_weak_causes(
                group_by_cause(diagnose_texts(check, subject, failing.get(check.code, {})))
            )
        ]
        for check in checks
    }


def _confirmed(
    check: Check, subject: Subject, finding: Finding, fresh: Callable[[], Target] | None
) -> Finding:
    """Tell state as the cause of a bug that the smallest text alone does not show."""
    text = finding.text
    if (
        fresh is None
        or check.failing is None
        or finding.verdict is not Verdict.BUG
        or not isinstance(text, str)
        or len(text) > LONGEST_CONFIRMED
    ):
        return finding
    other = replace(subject, target=fresh(), memo={})
    batch = observe(other, finding.families[0], [text], columns=check.columns, isolate=True)
    if batch.errors or batch.ids[0] is None or list(check.failing(batch, other)):
        return finding
    # To diagnose a text is to ask more about it than a batch does.
    if check.diagnose and finding.cause in check.diagnose(text, other):
        return finding
    return replace(finding, cause=replace(NOT_REPRODUCED), evidence={})


def run_audits(checks: Sequence[Check], subject: Subject) -> dict[str, list[Finding]]:
    """Findings of each check, by its code, about the target as a whole."""
    return {
        check.code: [_finding_of_failure(check, subject, one) for one in check.audit(subject)]
        for check in checks
        if check.audit is not None
    }


def merge_findings(codes: Sequence[str], *parts: Mapping[str, Sequence[Finding]]) -> list[Finding]:
    """All findings, worst first; what several checks see is told by the first of them.

    That is the one with the lowest code, but for a kind of cause that another one tells.
    """
    found: dict[Cause, Finding] = {}
    tells = {kind: code for code in codes for kind in plugins.checks()[code].tells}
    every = [one for code in codes for part in parts for one in part.get(code, ())]
    for finding in sorted(every, key=lambda one: tells.get(one.cause.kind) != one.code):
        first = found.get(finding.cause)
        if first is None:
            found[finding.cause] = finding
        elif first.code != finding.code:
            shown = min(first, finding, key=lambda one: len(one.text or ""))
            found[finding.cause] = replace(
                first,
                text=shown.text,
                reproduce=shown.reproduce,
                also=tuple(dict.fromkeys((*first.also, finding.code))),
                count=max(first.count, finding.count),
                families=tuple(sorted({*first.families, *finding.families})),
            )
    return sorted(found.values(), key=lambda f: (f.verdict.rank, f.code, -f.count, str(f.cause)))


def merge_weak_causes(groups: list[Group]) -> list[Group]:
    """Put many weak causes together, under the one that explains most."""
    weak = [one for one in groups if one.cause.weak]
    if len(weak) <= MOST_WEAK:
        return groups
    first = weak[0].cause
    message = f"{first.message}; {len(weak) - 1} other changes like it are told together with this"
    whole = Group(
        replace(first, message=message), tuple(member for one in weak for member in one.members)
    )
    return [*(one for one in groups if not one.cause.weak), whole]


def diagnose_texts(
    check: Check, subject: Subject, failing: Mapping[str, str]
) -> list[DiagnosedText]:
    """Diagnose each text, and all of them again where a later one taught how to read others."""
    some = dict(list(failing.items())[:: max(len(failing) // FIRST_DIAGNOSED, 1)])
    found = _until_nothing_is_learned(check, subject, some)
    if len(some) < len(failing):
        subject.expect(one.cause for one in group_by_cause(found))
        found = _until_nothing_is_learned(check, subject, failing)
        subject.expect(())
    return found


def _until_nothing_is_learned(
    check: Check, subject: Subject, failing: Mapping[str, str]
) -> list[DiagnosedText]:
    if check.diagnose is None:
        return []
    while True:
        subject.begin_pass()
        found = [
            DiagnosedText(text, family, _causes(check.diagnose, text, subject))
            for text, family in failing.items()
        ]
        if not subject.learned:
            return found


def _causes(
    diagnose: Callable[[str, Subject], Sequence[Cause]], text: str, subject: Subject
) -> tuple[Cause, ...]:
    """Causes of one text; none where it is not known whether it fails again.

    That is where the target hangs or dies when it is asked again, which is told of itself.
    """
    deadly = getattr(subject.target.tokenizer, "deadly", None)
    before = deadly.deaths if deadly else 0
    causes = tuple(diagnose(text, subject))
    if causes and not any(cause.kind == NOT_REPRODUCED.kind for cause in causes):
        return causes
    if deadly and (deadly.deaths > before or deadly.is_left_out("encode", text)):
        return ()
    return causes or (NOT_REPRODUCED,)


def _finding_of_group(check: Check, subject: Subject, one: Group) -> Finding:
    cause, text = _smallest(check, subject, one)
    # Where the smallest text is ASCII, no character of the sweep's is what fails.
    swept = set() if text.isascii() else _swept(one)
    evidence = describe_code_points(swept) if len(swept) > 1 else {}
    if evidence and cause.verdict is not Verdict.BY_DESIGN:
        message = f"{cause.message}; of the characters swept: {summarize_code_points(evidence)}"
        cause = replace(cause, message=message)
    return Finding(
        target=subject.target.spec,
        code=check.code,
        name=check.name,
        cause=cause,
        count=len(one.members),
        text=text,
        families=one.families,
        reproduce=_reproduce(check, subject, text, one.families),
        evidence=evidence,
    )


def _swept(one: Group) -> set[str]:
    """Characters beyond ASCII that are the only such ones of a text of the sweep."""
    found = set()
    for member in one.members:
        if member.family == SWEEP:
            characters = {character for character in member.text if not character.isascii()}
            found |= characters if len(characters) == 1 else set()
    return found


def _smallest(check: Check, subject: Subject, one: Group) -> tuple[Cause, str]:
    """Shrink the group's smallest text, as long as the same cause may explain it."""
    cause, diagnose = one.cause, check.diagnose
    texts = [member.text for member in one.members if cause in member.causes]
    text = min(texts, key=lambda t: (len(t), t))
    if cause == NOT_REPRODUCED or diagnose is None:
        return cause, text
    shrunk = shrink(text, lambda candidate: cause in diagnose(candidate, subject))

    def again(candidate: str) -> Cause | None:
        """Ask a process that has seen nothing else, where there can be one."""
        with subject.target.fresh():
            return next((one for one in diagnose(candidate, subject) if one == cause), None)

    for candidate in dict.fromkeys((shrunk, text)):
        if (found := again(candidate)) is not None:
            return cause if cause.weak else found, candidate
    if not subject.target.has_own_process:
        return cause, shrunk
    # A text that hung when hangs were given little time need not hang; a longer one may.
    longer = sorted(set(texts) - {shrunk, text}, key=len)
    for candidate in dict.fromkeys((*sample_evenly(longer, MOST_LONGER), *longer[-1:])):
        if (found := again(candidate)) is not None:
            return found, shrink(candidate, lambda one: again(one) is not None, most_calls=FEW)
    return NOT_REPRODUCED, text


def _reproduce(check: Check, subject: Subject, text: str, families: tuple[str, ...]) -> str:
    """Say how to see it again: the text itself, unless it is too long for a shell."""
    spec, argument = subject.target.spec, json_argument(text)
    if len(argument) <= LONGEST_ARGUMENT:
        specs = [spec] if subject.reference is None else [spec, subject.reference.spec]
        return " ".join(["tokharness", "show", "--json", argument, *map(shlex.quote, specs)])
    words = ["tokharness", "check", spec, "--select", check.code, "--family", families[0]]
    if subject.reference is not None:
        words += ["--against", subject.reference.spec]
    return " ".join(map(shlex.quote, words))


def _finding_of_failure(check: Check, subject: Subject, failure: Failure) -> Finding:
    words = ["tokharness", "check", shlex.quote(subject.target.spec), "--select", check.code]
    # It needs no text, but a run has a family; what is about families needs them all.
    words += [] if "family" in dict(failure.cause.parameters) else ["--family", SMALLEST]
    if subject.reference is not None and "reference" in check.requires:
        words += ["--against", shlex.quote(subject.reference.spec)]
    return Finding(
        target=subject.target.spec,
        code=check.code,
        name=check.name,
        cause=failure.cause,
        count=failure.count,
        text=failure.text,
        families=(),
        reproduce=" ".join(words),
        evidence=failure.evidence,
    )
