"""Merge findings that several checks report, and weak causes that are one fault."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.engine.worker.grouping import Group
from tokharness.engine.worker.without_cause import FURTHER
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.model import Finding

__all__ = ["merge_findings", "merge_further_causes", "merge_weak_causes"]

MAX_CAUSES = 40
"""Causes of one check that are findings of their own."""

MAX_WEAK = 2
"""More weak causes than that in one check are symptoms of one fault."""


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
            shortest = min(first, finding, key=lambda f: (f.text is None, len(f.text or "")))
            merged[finding.cause] = replace(
                first,
                text=shortest.text,
                reproduce=shortest.reproduce,
                other_checks=tuple(dict.fromkeys((*first.other_checks, finding.code))),
                count=max(first.count, finding.count),
                families=tuple(sorted({*first.families, *finding.families})),
                library=first.library if finding.library else "",
            )
    return sorted(merged.values(), key=lambda f: (f.rank, f.code, -f.count, str(f.cause)))


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


def merge_further_causes(groups: list[Group]) -> list[Group]:
    """Merge the bugs and the risks after the first causes, which explain more texts, into one.

    Causes that differ from text to text are no explanation of any of them.
    """
    facts = [group for group in groups if group.cause.verdict is Verdict.FACT]
    others = [group for group in groups if group.cause.verdict is not Verdict.FACT]
    further = others[MAX_CAUSES:]
    if len(further) <= 1:
        return groups
    worst = min((group.cause for group in further), key=lambda cause: cause.verdict.rank)
    message = f"further causes, each of fewer texts: {len(further):,}, such as: {worst.message}"
    cause = Cause(FURTHER, verdict=worst.verdict, message=message)
    members = (replace(one, causes=(cause,)) for group in further for one in group.members)
    return [*others[:MAX_CAUSES], *facts, Group(cause, tuple(members))]
