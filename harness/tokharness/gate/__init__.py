"""The gate: compare a run with a baseline, and fail on changes that are not accepted.

The gate fails closed: anything that is neither known to be unchanged nor accepted fails it. A skip
is never a pass. The baseline is a file, or another tokenizer that has just been run.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokharness.baseline import run_options_of
from tokharness.changes import CASES, GateResult
from tokharness.gate.acceptances import apply_acceptances
from tokharness.gate.cases import case_changes
from tokharness.gate.findings import finding_changes
from tokharness.gate.kinds import KINDS
from tokharness.gate.metrics import metric_changes
from tokharness.gate.targets import target_changes
from tokharness.gate.texts import NO_CAUSE, text_changes

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping, Sequence

    from tokharness.baseline import Baseline
    from tokharness.changes import Change
    from tokharness.config import FailOn, Options
    from tokharness.results.report import TargetReport

__all__ = ["KINDS", "Rules", "evaluate_gate"]

UNICODE_VERSION = "Unicode version"
"""Kind of the cause of findings that a different Unicode version explains."""

OF_IDS = ("changed-ids", "special-handling", "unicode-version", "new-finding", "vocabulary")
"""Kinds of changes that show that the ids of texts changed."""

INCOMPLETE = ("lost-entry-point", "new-skip", "check-not-run")
"""Kinds of changes of a run that did less than the run of the baseline."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a policy about changes.

    New findings of verdict ``fail_on`` or worse fail the gate. A metric may grow by the share
    ``tolerance``. ``budgets`` maps ``language:my``, ``script:Mymr`` or ``family:emoji`` to the
    maximum cost: of a language relative to English, of a script or family in tokens per code
    point. ``unmet`` are expectations that no finding met.
    """

    fail_on: FailOn = "risk"
    tolerance: float = 0.02
    budgets: Mapping[str, float] = field(default_factory=dict)
    unmet: tuple[str, ...] = ()


def evaluate_gate(
    target: TargetReport,
    baseline: Baseline,
    options: Options,
    rules: Rules,
    today: dt.date,
    *,
    file: str | None = None,
) -> GateResult:
    """Compare a target of a run that took a snapshot with a baseline.

    ``file`` is the file of the baseline, or None if the baseline was made of an incumbent.
    """
    run = run_options_of(options)
    changes = [
        *text_changes(target, baseline),
        *case_changes(target, baseline),
        *finding_changes(target, baseline, rules.fail_on, rules.unmet),
        *target_changes(target, baseline, run),
        *metric_changes(target, baseline, rules.tolerance, rules.budgets),
    ]
    # A finding counts as gone only if the run did everything that the run of the baseline did.
    complete = run == baseline.run and not any(change.kind in INCOMPLETE for change in changes)
    remaining, accepted = apply_acceptances(
        changes, baseline.accepted, today, report_stale=complete and file is not None
    )
    if not complete:
        remaining = [change for change in remaining if change.kind != "fixed-finding"]
    return GateResult(
        name=target.started.spec if file is None else baseline.name,
        against=baseline.spec if file is None else file,
        changes=tuple(sorted(merge_changes(remaining), key=_order)),
        accepted=accepted,
        golden_texts=len(baseline.golden),
    )


def merge_changes(changes: Sequence[Change]) -> list[Change]:
    """Attach changed ids to the finding with the same cause: one fault is one change.

    A finding that does not fail the gate takes no changed ids that do.
    """
    ids_by_cause = {
        change.cause: change
        for change in changes
        if change.finding is None and change.cause is not None
    }
    merged = []
    for change in changes:
        cause = change.finding.cause if change.finding is not None else None
        ids = ids_by_cause.get(cause) if cause is not None else None
        if cause is not None and ids is not None and change.fails >= ids.fails:
            del ids_by_cause[cause]
            merged.append(replace(change, examples=ids.examples, related=(ids,)))
        elif change.cause is None:
            merged.append(change)
    changes = [*merged, *ids_by_cause.values()]
    unexplained = [change for change in changes if change.what == NO_CAUSE]
    of_version = [
        change
        for change in changes
        if change.finding and change.finding.cause.kind == UNICODE_VERSION
    ]
    changes = _attach("vocabulary", unexplained, changes)
    return _attach_cases(_attach("unicode-version", of_version, changes))


def _attach_cases(changes: list[Change]) -> list[Change]:
    """Attach changed cases of the run to what else shows changed ids, which fails too."""
    hosts = [one for one in changes if one.fails and one.kind in OF_IDS and one.what != CASES]
    if not hosts:
        return changes
    host = min(hosts, key=_order)
    cases = tuple(one for one in changes if one.what == CASES)
    whole = replace(host, related=(*host.related, *cases))
    return [whole if one is host else one for one in changes if one not in cases]


def _attach(kind: str, related: Sequence[Change], changes: list[Change]) -> list[Change]:
    """Attach related changes to the failing change of a kind, if there is one."""
    change = next((change for change in changes if change.kind == kind and change.fails), None)
    if change is None or not related:
        return changes
    examples = change.examples or related[0].examples
    whole = replace(change, examples=examples, related=(*change.related, *related))
    return [whole if one is change else one for one in changes if one not in related]


def _order(change: Change) -> tuple[bool, bool, int, int, str]:
    """Failing changes first, then those with examples, then by kind, then by count."""
    rank = list(KINDS).index(change.kind)
    return not change.fails, not change.examples, rank, -change.count, change.what
