"""The gate: compare a run with a baseline, and fail on changes that are not accepted.

The gate fails closed: anything that is neither known to be unchanged nor accepted fails the gate. A
skip is never a pass. The baseline is a file, or another tokenizer that has just been run.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokharness.baseline import run_options_of
from tokharness.changes import CASES, CHANGED_FILE, KINDS, GateResult
from tokharness.gate.acceptances import apply_acceptances, as_expired, finding_changes
from tokharness.gate.cases import case_changes
from tokharness.gate.consequences import as_shared, merge_into_edits
from tokharness.gate.file_changes import UNREADABLE, file_changes
from tokharness.gate.metrics import metric_changes
from tokharness.gate.next_steps import GateCommand, with_next_steps
from tokharness.gate.targets import target_changes
from tokharness.gate.texts import BY_DIGEST, text_changes
from tokharness.targets.snapshot import NO_CAUSE

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping, Sequence

    from tokharness.baseline import Baseline
    from tokharness.changes import Change
    from tokharness.config import FailOn, Options
    from tokharness.results.report import TargetReport

__all__ = ["KINDS", "GateCommand", "Rules", "evaluate_gate"]

UNICODE_VERSION = "Unicode version"
"""Kind of the cause of findings that a different Unicode version explains."""

DEATH = "TOK104"
"""Code of findings of targets that crash, hang or do not load."""

INCOMPLETE = ("lost-entry-point", "new-skip", "check-not-run")
"""Kinds of changes that show that a run did less than the run of the baseline."""

MAX_NAMED = 3
"""Most edits that the finding of a target that does not load names."""

SAMPLED = ("part of ", "diagnosis of ")
"""Start of the names of skips that concern a sample of texts, which may differ between runs."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a policy about changes.

    New findings of verdict ``fail_on`` or worse fail the gate; findings of a library do so only
    with ``fail_on_library``. A metric may grow by the share ``tolerance``. ``budgets`` maps
    ``language:my``, ``script:Mymr`` or ``family:emoji`` to the maximum cost: of a language relative
    to English, of a script or family in tokens per code point. ``unmet`` has the expectations that
    no finding met.
    """

    fail_on: FailOn = "risk"
    tolerance: float = 0.02
    budgets: Mapping[str, float] = field(default_factory=dict)
    unmet: tuple[str, ...] = ()
    fail_on_library: bool = False


def evaluate_gate(  # noqa: PLR0913 - a run, a baseline, and the user's settings
    target: TargetReport,
    baseline: Baseline,
    options: Options,
    rules: Rules,
    today: dt.date,
    *,
    file: str | None = None,
    command: GateCommand | None = None,
    versions: Mapping[str, str] | None = None,
    templates: Sequence[Change] | None = None,
) -> GateResult:
    """Compare a target of a run that took a snapshot with a baseline.

    ``file`` is the file of the baseline, or None if the baseline was made from an incumbent.
    ``command`` says how the user runs the gate, for the next steps, and ``versions`` has the
    versions of this run in the form of a baseline. ``templates`` are the changes of what chat
    templates render, which stand for those of the templates' texts; None if they were not compared.
    """
    run = run_options_of(options)
    changes = [
        *(templates or ()),
        *file_changes(target, baseline, with_templates=templates is None),
        *text_changes(target, baseline),
        *case_changes(target, baseline),
        *finding_changes(
            target, baseline, rules.fail_on, rules.unmet, on_library=rules.fail_on_library
        ),
        *target_changes(target, baseline, run),
        *metric_changes(target, baseline, rules.tolerance, rules.budgets),
    ]
    # A finding counts as gone only if the run did everything that the run of the baseline did. If
    # time runs out, the texts that are left out differ between runs.
    complete = (
        run == baseline.run
        and not any(change.kind in INCOMPLETE for change in changes)
        and not any(skip.what.startswith(SAMPLED) for skip in target.skips)
    )
    remaining, accepted, expired = apply_acceptances(
        changes, baseline.accepted, today, report_stale=complete and file is not None
    )
    if not complete:
        remaining = [change for change in remaining if change.kind != "fixed-finding"]
    did_all = run == baseline.run and all(change.kind != "check-not-run" for change in changes)
    is_same_code = versions is not None and {**versions} == {**baseline.versions}
    is_same_run = did_all and is_same_code and target.snapshot is not None
    if target.snapshot is None:
        remaining = _attach_not_run(remaining, is_same_code=is_same_code)
    merged = merge_changes(merge_into_edits(remaining, target, baseline, is_same_run=is_same_run))
    if target.snapshot is None and command is not None:
        command = replace(command, old="")  # no command compares a target that gives no ids
    if command is not None:
        merged = with_next_steps(merged, command)
    return GateResult(
        name=target.started.spec if file is None else baseline.name,
        against=baseline.spec if file is None else file,
        changes=tuple(sorted((as_expired(one, expired) for one in merged), key=_order)),
        accepted=accepted,
        golden_texts=len(baseline.golden) if target.snapshot is not None else 0,
    )


def merge_changes(changes: Sequence[Change]) -> list[Change]:
    """Attach changed ids to the finding with the same cause: one fault is one change.

    Changed ids that fail the gate are not attached to a finding that does not fail it.
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
    changes = _attach_digests([*merged, *ids_by_cause.values()])
    unexplained = [change for change in changes if change.what.startswith(NO_CAUSE)]
    of_version = [
        change
        for change in changes
        if change.finding and change.finding.cause.kind == UNICODE_VERSION
    ]
    changes = _attach("vocabulary", unexplained, changes)
    return _attach("unicode-version", of_version, changes)


def _attach_digests(changes: list[Change]) -> list[Change]:
    """Attach texts that only digests show to the edits or golden texts that explain them."""
    for change in [one for one in changes if one.what in (BY_DIGEST, CASES) and one.fails]:
        owners = _owners_of_digest(change, changes)
        part = as_shared(change) if len(owners) > 1 else change
        changes = [
            replace(one, related=(*one.related, part)) if one in owners else one
            for one in changes
            if not owners or one is not change
        ]
    return changes


def _owners_of_digest(change: Change, changes: Sequence[Change]) -> list[Change]:
    """Return the edits that may have changed texts that digests show, or the most golden texts.

    Of a case, perhaps only the decoded text differs.
    """
    others = [one for one in changes if one.fails and one.what not in (BY_DIGEST, CASES)]
    edits = [one for one in others if one.kind == CHANGED_FILE]
    decoders = [one for one in edits if one.what.startswith("decoder") and change.what == CASES]
    if not change.examples:
        shown = [one for one in edits if one.examples or one in decoders]
        return shown or edits
    golden = [one for one in others if one.kind != CHANGED_FILE and one.examples]
    return [max(golden, key=lambda one: len(one.examples))] if golden else decoders


def _attach_not_run(changes: list[Change], *, is_same_code: bool) -> list[Change]:
    """Attach the skipped work to the finding of a target that does not load, or always dies.

    If ``is_same_code`` and edits of the file are the reason, the finding is part of these edits.
    Otherwise it names the first edits, as one of them may be the reason.
    """
    death = next((one for one in changes if one.fails and _is_death(one)), None)
    if death is None:
        return changes
    not_run = [one for one in changes if one.kind in INCOMPLETE]
    edits = [one.what for one in changes if one.kind == CHANGED_FILE and one.fails]
    reasons = [one for one in changes if one.kind == CHANGED_FILE and one.message == UNREADABLE]
    parts = (*death.related, *not_run)
    if reasons and is_same_code:
        return [
            replace(one, related=(death, *parts)) if one in reasons else one
            for one in changes
            if one not in (death, *not_run)
        ]
    whole = replace(death, related=parts)
    if edits:
        more = f"; and {len(edits) - MAX_NAMED} more" * (len(edits) > MAX_NAMED)
        named = "; ".join(edits[:MAX_NAMED])
        whole = whole.with_message(f"{death.message}; what differs in the file: {named}{more}")
    return [whole if one is death else one for one in changes if one not in not_run]


def _is_death(change: Change) -> bool:
    return change.finding is not None and change.finding.code == DEATH


def _attach(kind: str, related: Sequence[Change], changes: list[Change]) -> list[Change]:
    """Attach related changes to the failing change of a kind, if there is one."""
    change = next((change for change in changes if change.kind == kind and change.fails), None)
    if change is None or not related:
        return changes
    examples = change.examples or related[0].examples
    whole = replace(change, examples=examples, related=(*change.related, *related))
    return [whole if one is change else one for one in changes if one not in related]


def _order(change: Change) -> tuple[bool, bool, int, int, str]:
    """Sort key: failing changes, then those with examples, or by which nothing loads, by kind."""
    rank = list(KINDS).index(change.kind)
    is_shown = bool(change.examples) or change.message == UNREADABLE
    return not change.fails, not is_shown, rank, -change.count, change.what
