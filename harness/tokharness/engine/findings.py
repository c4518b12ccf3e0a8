"""From failing texts to findings: diagnose, group by cause, shrink, say how to see it again."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.engine.grouping import Failing, Group, group
from tokharness.engine.shrinking import shrink
from tokharness.escaping import json_argument
from tokharness.model import Cause, Failure, Finding

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.plugins import Check
    from tokharness.subject import Subject

__all__ = ["audited_findings", "diagnosed_findings", "told"]

NOT_REPEATED = Cause(
    "state", message="fails once in a run, but not when the same text is asked about alone"
)

LONGEST_ARGUMENT = 4000
"""Characters of a text that a command line takes on every system."""

MOST_WEAK = 2
"""More weak causes than that in one check are ways in which one fault shows."""


def diagnosed_findings(
    checks: Sequence[Check], subject: Subject, failing: Mapping[str, Mapping[str, str]]
) -> dict[str, list[Finding]]:
    """Findings of each check, by its code, one a cause.

    ``failing`` has, for the code of each check, the failing texts with the family of each.
    """
    return {
        check.code: [
            _finding_of_group(check, subject, one)
            for one in _merged(group(_diagnosed(check, subject, failing.get(check.code, {}))))
        ]
        for check in checks
    }


def audited_findings(checks: Sequence[Check], subject: Subject) -> dict[str, list[Finding]]:
    """Findings of each check, by its code, about the target as a whole."""
    return {
        check.code: [_finding_of_failure(check, subject, one) for one in check.audit(subject)]
        for check in checks
        if check.audit is not None
    }


def told(codes: Sequence[str], *parts: Mapping[str, Sequence[Finding]]) -> list[Finding]:
    """All findings, worst first; what several checks see is told by the first of them."""
    found: dict[Cause, Finding] = {}
    for finding in (one for code in codes for part in parts for one in part.get(code, ())):
        first = found.get(finding.cause)
        if first is None:
            found[finding.cause] = finding
        elif first.code != finding.code:
            shown = min(first, finding, key=lambda one: len(one.text or ""))
            found[finding.cause] = replace(
                first,
                text=shown.text,
                reproduce=shown.reproduce,
                also=(*first.also, finding.code),
                count=max(first.count, finding.count),
                families=tuple(sorted({*first.families, *finding.families})),
            )
    return sorted(found.values(), key=lambda f: (f.verdict.rank, f.code, -f.count, str(f.cause)))


def _merged(groups: list[Group]) -> list[Group]:
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


def _diagnosed(check: Check, subject: Subject, failing: Mapping[str, str]) -> list[Failing]:
    """Diagnose each text, and all of them again where a later one taught how to read others."""
    if check.diagnose is None:
        return []
    while True:
        subject.begin_pass()
        diagnosed = [
            Failing(text, family, tuple(check.diagnose(text, subject)) or (NOT_REPEATED,))
            for text, family in failing.items()
        ]
        if not subject.learned:
            return diagnosed


def _finding_of_group(check: Check, subject: Subject, one: Group) -> Finding:
    cause, text = _smallest(check, subject, one)
    return Finding(
        target=subject.target.spec,
        code=check.code,
        name=check.name,
        cause=cause,
        count=len(one.members),
        text=text,
        families=one.families,
        reproduce=_reproduce(check, subject, text, one.families),
    )


def _smallest(check: Check, subject: Subject, one: Group) -> tuple[Cause, str]:
    """Shrink the group's smallest text, as long as the same cause may explain it."""
    cause, diagnose = one.cause, check.diagnose
    texts = [member.text for member in one.members if cause in member.causes]
    text = min(texts, key=lambda t: (len(t), t))
    if cause == NOT_REPEATED or diagnose is None:
        return cause, text
    shrunk = shrink(text, lambda candidate: cause in diagnose(candidate, subject))
    # In a process that has seen nothing else, where there can be one.
    for candidate in dict.fromkeys((shrunk, text)):
        with subject.target.fresh():
            again = next((c for c in diagnose(candidate, subject) if c == cause), None)
        if again is not None:
            return cause if cause.weak else again, candidate
    return (cause, shrunk) if not subject.target.has_own_process else (NOT_REPEATED, text)


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
