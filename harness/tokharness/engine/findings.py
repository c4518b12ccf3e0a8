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
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.plugins import Check
    from tokharness.subject import Subject

__all__ = ["findings"]

NOT_REPEATED = Cause(
    "state", message="fails once in a run, but not when the same text is asked about alone"
)

MOST_WEAK = 2
"""More weak causes than that in one check are ways in which one fault shows."""


def findings(
    checks: Sequence[Check], subject: Subject, failing: Mapping[str, Mapping[str, str]]
) -> list[Finding]:
    """One finding a cause, worst first; what several checks see is told by the first of them.

    ``failing`` has, for the code of each check, the failing texts with the family of each.
    """
    found: dict[Cause, Finding] = {}
    for check in checks:
        for finding in _check_findings(check, subject, failing.get(check.code, {})):
            first = found.get(finding.cause)
            if first is None:
                found[finding.cause] = finding
            elif first.code != check.code:
                shown = min(first, finding, key=lambda one: len(one.text or ""))
                found[finding.cause] = replace(
                    first,
                    text=shown.text,
                    reproduce=shown.reproduce,
                    also=(*first.also, check.code),
                    count=max(first.count, finding.count),
                    families=tuple(sorted({*first.families, *finding.families})),
                )
    return sorted(found.values(), key=lambda f: (f.verdict.rank, f.code, -f.count, str(f.cause)))


def _check_findings(
    check: Check, subject: Subject, failing: Mapping[str, str]
) -> Iterator[Finding]:
    if check.diagnose is not None:
        for one in _merged(group(_diagnosed(check, subject, failing))):
            yield _finding_of_group(check, subject, one)
    if check.audit is not None:
        for failure in check.audit(subject):
            yield _finding_of_failure(check, subject, failure)


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
    """Shrink the group's smallest text, as long as the same cause may explain it."""
    cause = one.cause
    texts = [member.text for member in one.members if cause in member.causes]
    text = min(texts, key=lambda t: (len(t), t))
    if cause != NOT_REPEATED and check.diagnose is not None:
        diagnose = check.diagnose
        text = shrink(text, lambda candidate: cause in diagnose(candidate, subject))
        if not cause.weak:
            cause = next((c for c in diagnose(text, subject) if c == cause), cause)
    words = ["tokharness", "show", "--json", json_argument(text), shlex.quote(subject.target.spec)]
    if subject.reference is not None:
        words.append(shlex.quote(subject.reference.spec))
    return Finding(
        target=subject.target.spec,
        code=check.code,
        name=check.name,
        cause=cause,
        count=len(one.members),
        text=text,
        families=one.families,
        reproduce=" ".join(words),
    )


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
