"""The gate: what changed since a baseline, what of it was accepted, and whether that is all.

It fails closed: whatever is not known to be as it was, and was not accepted, makes it fail. A skip
is never a pass. The baseline is a file, or another tokenizer that was run just before.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokharness.baseline import run_options_of
from tokharness.changes import GateResult
from tokharness.gate.acceptances import apply_acceptances
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


VERSION = "Unicode version"
"""Kind of the cause of findings that another Unicode version explains."""

NOT_WHOLE = ("lost-capability", "new-skip", "check-not-run")


@dataclass(frozen=True, slots=True)
class Rules:
    """What the policy says about changes.

    New findings fail the gate from ``fail_on`` on. A metric may grow by ``tolerance``, a share;
    ``budgets`` have the most that a language may cost, in times of English, or a family or a script
    in tokens a code point, by ``language:my``, ``script:Mymr``, ``family:emoji``. ``unmet`` are
    expectations that no finding met.
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
    """Compare what a run with a snapshot told of a target with a baseline.

    ``file`` is the baseline's, or None for that of an incumbent, of which it is told what it had
    and the candidate has no longer.
    """
    run = run_options_of(options)
    changes = [
        *text_changes(target, baseline),
        *finding_changes(target, baseline, rules.fail_on, rules.unmet),
        *target_changes(target, baseline, run),
        *metric_changes(target, baseline, rules.tolerance, rules.budgets),
    ]
    # What is gone can be told only by a run that did all that the baseline's did.
    whole = run == baseline.run and not any(one.kind in NOT_WHOLE for one in changes)
    left, accepted = apply_acceptances(
        changes, baseline.accepted, today, judge_stale=whole and file is not None
    )
    if not whole:
        left = [one for one in left if one.kind != "fixed-finding"]
    return GateResult(
        name=target.started.target if file is None else baseline.name,
        against=baseline.spec if file is None else file,
        changes=tuple(sorted(merge_changes(left), key=_order)),
        accepted=accepted,
        golden_texts=len(baseline.golden),
    )


def merge_changes(changes: Sequence[Change]) -> list[Change]:
    """Tell changed ids with the finding of the same cause: one fault is one change.

    Not with a finding that fails nothing, if they do.
    """
    ids = {one.cause: one for one in changes if one.finding is None and one.cause is not None}
    merged = []
    for change in changes:
        cause = change.finding.cause if change.finding is not None else None
        same = ids.get(cause) if cause is not None else None
        if cause is not None and same is not None and change.fails >= same.fails:
            del ids[cause]
            merged.append(replace(change, examples=same.examples, related=(same,)))
        elif change.cause is None:
            merged.append(change)
    changes = [*merged, *ids.values()]
    unexplained = [one for one in changes if one.what == NO_CAUSE]
    versions = [one for one in changes if one.finding and one.finding.cause.kind == VERSION]
    changes = _told_with("vocabulary", unexplained, changes)
    return _told_with("unicode-version", versions, changes)


def _told_with(kind: str, others: Sequence[Change], changes: list[Change]) -> list[Change]:
    """Tell others with the change of a kind that is behind them, if there is one that fails."""
    first = next((one for one in changes if one.kind == kind and one.fails), None)
    if first is None or not others:
        return changes
    examples = first.examples or others[0].examples
    whole = replace(first, examples=examples, related=(*first.related, *others))
    return [whole if one is first else one for one in changes if one not in others]


def _order(change: Change) -> tuple[bool, bool, int, int, str]:
    """What fails first, of that what shows texts, then by kind, the largest first."""
    place = list(KINDS).index(change.kind)
    return not change.fails, not change.examples, place, -change.count, change.what
