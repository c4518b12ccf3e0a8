"""What JUnit's XML has to say, before it is written: suites of cases, all in display form."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.escaping import shortened, visible
from tokharness.formats._problems import shown_command
from tokharness.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.changes import Change, Judgement
    from tokharness.config import FailOn
    from tokharness.model import Finding, Skip
    from tokharness.results.report import Report, TargetReport

__all__ = ["Case", "Suite", "gate_suite", "interrupted", "target_suite"]

LONGEST_TEXT = 80
NOT_DONE = "the run was interrupted"


@dataclass(frozen=True, slots=True)
class Case:
    """One case: it passes without ``failures``, ``error`` and ``skipped``.

    ``kind`` is the type of its failures, each of which begins with a line for a summary.
    """

    classname: str
    name: str
    failures: tuple[str, ...] = ()
    output: tuple[str, ...] = ()
    kind: str = ""
    error: str = ""
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """Cases under a name; ``seconds`` is how long they took, if that is known."""

    name: str
    cases: tuple[Case, ...]
    seconds: float | None = None


def target_suite(target: TargetReport, fail_on: FailOn) -> Suite:
    """Give the suite of a target: its checks, then what was skipped."""
    spec = visible(target.started.target)
    # A finding may come from a check that the list of those that were run does not name.
    codes = dict.fromkeys([*target.started.checks, *(one.code for one in target.findings)])
    cases = [_check_case(code, target, fail_on) for code in codes]
    cases += [_skip_case(spec, skip) for skip in target.skips]
    seconds = target.finished.seconds if target.finished else None
    return Suite(spec, tuple(cases), seconds)


def _check_case(code: str, target: TargetReport, fail_on: FailOn) -> Case:
    spec = visible(target.started.target)
    found = [finding for finding in target.findings if finding.code == code]
    check = plugins.checks().get(code)
    name = found[0].name if found else check.name if check else ""
    name = visible(f"{code} {name}".strip())
    if not found and target.finished is None:
        return Case(spec, name, skipped=NOT_DONE)
    failing = {Verdict.BUG, Verdict.RISK} if fail_on == "risk" else {Verdict.BUG}
    failures = [finding for finding in found if finding.verdict in failing]
    return Case(
        spec,
        name,
        failures=tuple(map(_told, failures)),
        output=tuple(_told(finding) for finding in found if finding not in failures),
        kind=min(failures, key=lambda f: f.verdict.rank).verdict.value if failures else "",
    )


def _told(finding: Finding) -> str:
    lines = [f"{finding.verdict.value}: {visible(str(finding.cause))}", visible(finding.message)]
    if finding.text is not None:
        lines.append(f'smallest text "{shortened(finding.text, LONGEST_TEXT)}"')
    if finding.families:
        lines.append(f"in {finding.count:,} cases of {visible(', '.join(finding.families))}")
    lines.append(shown_command(finding))
    return "\n".join(filter(None, lines))


def _skip_case(spec: str, skip: Skip) -> Case:
    return Case(spec, visible(skip.what), skipped=visible(skip.reason) or "not run")


def gate_suite(report: Report, judgement: Judgement) -> Suite:
    """Give the suite of a gate: a case for each kind of change, one for all, and the skips."""
    name = f"gate {visible(judgement.name)}"
    failures = tuple(_changed(change) for change in judgement.failing)
    cases = [Case(name, "gate", failures=failures, kind="gate"), *_kinds(name, judgement)]
    cases += [_skip_case(name, skip) for target in report.targets for skip in target.skips]
    return Suite(name, tuple(cases))


def _kinds(name: str, judgement: Judgement) -> Iterator[Case]:
    changes = sorted(judgement.changes, key=lambda change: change.kind)
    for kind, alike in groupby(changes, lambda change: change.kind):
        told = list(alike)
        yield Case(
            name,
            visible(kind),
            failures=tuple(_changed(change) for change in told if change.fails),
            output=tuple(_changed(change) for change in told if not change.fails),
            kind=visible(kind),
        )


def _changed(change: Change) -> str:
    lines = [f"{visible(change.kind)}: {visible(change.what)}"]
    lines += [visible(one.message) for one in (change, *change.with_it)]
    for one in change.examples:
        ids = (visible(str(side)) for side in (one.before, one.after))
        lines.append(f'"{shortened(one.text, LONGEST_TEXT)}" {" -> ".join(ids)}')
    return "\n".join(filter(None, lines))


def interrupted() -> Suite:
    """Give the suite that says that the run was ended before it was done."""
    error = "the run was ended before it was done: this is what was found until then"
    return Suite("tokharness", (Case("tokharness", "run", error=error),))
