"""The checks of chat templates with the checks of texts, in the report of one run.

A folder has a tokenizer and its template, and a person who checks the folder means both.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tokharness.conversations.examination import examine
from tokharness.conversations.run import templates_of, views
from tokharness.conversations.states import state_of
from tokharness.engine.events import TargetFinished, TargetStarted
from tokharness.engine.run.selection import (
    is_of_chat,
    is_of_chat_alone,
    select_chat_checks,
)
from tokharness.errors import NothingCheckedError, NotInstalledError, TargetError, UsageError
from tokharness.model import Skip
from tokharness.results.detectors import CONVERSATIONS, is_of_conversations
from tokharness.results.report import Report, TargetReport
from tokharness.results.versions import versions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.config import Options
    from tokharness.conversations.templates import Found
    from tokharness.model import Finding
    from tokharness.plugins import ChatCheck


def with_conversations(report: Report, *, keep_states: bool = False) -> Report:
    """Return a report to which the checks of chat templates are added, where a target has one.

    A run of some families only, and a run that was interrupted, get none.

    Args:
        report: The report of the checks of texts, whose options select the checks.
        keep_states: Whether each target gets the ``templates`` that a baseline keeps, also in a
            run without checks of chat templates.

    """
    chosen = () if _is_limited(report.options) else select_chat_checks(report.options)
    if report.interrupted or not (chosen or keep_states):
        return report
    targets = (
        _with_templates(target, report.options, chosen, keep_states=keep_states)
        for target in report.targets
    )
    return replace(report, targets=tuple(targets))


def _is_limited(options: Options) -> bool:
    """Whether a run is one of some families only, and names no check of chat templates."""
    return bool(options.families) and not any(map(is_of_chat, options.select))


def has_templates(spec: str, options: Options) -> bool:
    """Whether checks of chat templates run on a target; also if its template cannot be read."""
    if _is_limited(options):
        return False
    try:
        return templates_of(spec) is not None
    except (UsageError, TargetError):
        return True


def of_conversations(specs: Sequence[str], options: Options) -> Report:
    """Return the report of the checks of chat templates alone.

    Raises:
        NothingCheckedError: no check could run on a target.

    """
    targets = tuple(not_run(spec) for spec in dict.fromkeys(specs))
    report = with_conversations(Report(options, targets, versions(list(specs))))
    for target in report.targets:
        if not target.started.checks:
            reasons = "; ".join(dict.fromkeys(skip.reason for skip in target.skips))
            raise NothingCheckedError(f"nothing of {target.started.spec} was checked: {reasons}")
    return replace(report, created=datetime.now(UTC).isoformat(timespec="seconds"))


def not_run(spec: str) -> TargetReport:
    """Return the report of a target of which no text was checked."""
    started = TargetStarted(spec, None, (), None, None, (CONVERSATIONS,), ())
    return TargetReport(started, (), (), (), TargetFinished(spec, 0, 0.0, 0.0))


def _with_templates(
    target: TargetReport, options: Options, chosen: Sequence[ChatCheck], *, keep_states: bool
) -> TargetReport:
    spec = target.started.spec
    try:
        found = templates_of(spec)
    except (UsageError, TargetError) as error:  # a file is damaged, or takes too long to read
        return _with_skip(target, str(error), unfinished=True)
    if found is None:
        is_asked = any(map(is_of_chat_alone, _each(options)))
        return _with_skip(target, "the target has no chat template") if is_asked else target
    try:
        return _examined(target, found, options, chosen, keep_states=keep_states)
    except NotInstalledError as error:
        return _with_skip(target, str(error))
    except (UsageError, TargetError) as error:
        is_loaded = bool(target.started.capabilities) or is_of_conversations(target)
        return _with_skip(target, str(error), unfinished=is_loaded)


def _with_skip(target: TargetReport, reason: str, *, unfinished: bool = False) -> TargetReport:
    skip = Skip(target.started.spec, CONVERSATIONS, reason, unfinished)
    return replace(target, skips=(*target.skips, skip))


def _each(options: Options) -> list[Options]:
    return [replace(options, select=(name,)) for name in options.select]


def _examined(
    target: TargetReport,
    found: Found,
    options: Options,
    chosen: Sequence[ChatCheck],
    *,
    keep_states: bool,
) -> TargetReport:
    spec = target.started.spec
    rows, states = [], []
    for view in views(spec, found, against=options.against):
        name = view.template.name
        command = [spec, *(["--template", name] if len(found.templates) > 1 else [])]
        if chosen:
            rows.append((name, examine(view, spec, chosen, command)))
        if keep_states:
            states.append(state_of(view, rows[-1][1].findings if chosen else ()))
    if not rows:
        return replace(target, templates=tuple(states))
    codes = dict.fromkeys(code for _, one in rows for code in one.started.checks)
    ran = (*target.started.checks, *codes)
    skips = [skip for _, one in rows for skip in one.skips]
    if is_of_conversations(target):  # no text was checked
        target = replace(target, families=rows[0][1].families, finished=rows[0][1].finished)
    return replace(
        target,
        started=replace(target.started, checks=ran),
        findings=(*target.findings, *_merged(rows)),
        skips=(*target.skips, *_of_all(skips, codes)),
        templates=tuple(states),
    )


def _merged(rows: Sequence[tuple[str, TargetReport]]) -> list[Finding]:
    """Return the findings of all templates; the same cause in several is one finding."""
    found: dict[str, tuple[Finding, list[str]]] = {}
    for name, report in rows:
        for finding in sorted(report.findings, key=lambda one: one.rank):
            found.setdefault(finding.fingerprint, (finding, []))[1].append(name)
    if len(rows) == 1:
        return [finding for finding, _ in found.values()]
    return [
        replace(finding, evidence={**finding.evidence, "templates": names})
        for finding, names in found.values()
    ]


def _of_all(skips: Sequence[Skip], ran: dict[str, None]) -> list[Skip]:
    """Return the skips of checks that ran with no template, each once, and all other skips."""
    kept = [one for one in skips if one.unfinished or one.what.partition(" ")[0] not in ran]
    return list(dict.fromkeys(kept))
