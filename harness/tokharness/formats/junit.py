"""JUnit XML, in ASCII: a suite for each target, with a case for each check.

Bugs fail a case, and risks too with ``--fail-on risk``; other risks and facts are its output. Skips
are skipped cases. A gate is one suite, with a case for each kind of change, and a case ``gate``
that fails if any change fails. An interrupted run has an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias
from xml.etree import ElementTree as ET

from tokharness import plugins
from tokharness.escaping import Shown, sentence, shorten, shown_xml, visible
from tokharness.formats._gate_lines import commands
from tokharness.formats._problems import MAX_TEXT, display_command, texts_and_counts
from tokharness.formats._renderings import rendering_lines
from tokharness.formats._wording import incomplete, library_title
from tokharness.results.report import fails

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokharness.changes import Change, GateResult
    from tokharness.config import FailOn, Options
    from tokharness.model import Finding, Skip
    from tokharness.results.report import Report, TargetReport

__all__ = ["NAME", "render"]


# The suites and cases of a JUnit report, all in display form.

Lines: TypeAlias = tuple[Shown, ...]

EMPTY = Shown("")
NOT_FINISHED = Shown("the run was interrupted")


@dataclass(frozen=True, slots=True)
class Case:
    """A test case. It passes if ``failures``, ``error`` and ``skipped`` are empty.

    ``kind`` is the type of its failures. A failure is its lines, the first of which is a summary.
    """

    classname: Shown
    name: Shown
    failures: tuple[Lines, ...] = ()
    output: tuple[Lines, ...] = ()
    kind: Shown = EMPTY
    error: Shown = EMPTY
    skipped: Shown = EMPTY


@dataclass(frozen=True, slots=True)
class Suite:
    """A named suite of cases; ``seconds`` is its duration, if known."""

    name: Shown
    cases: tuple[Case, ...]
    seconds: float | None = None


def target_suite(target: TargetReport, options: Options) -> Suite:
    """Return the suite of a target: its checks, then the skips."""
    spec = visible(target.started.spec)
    # A finding's check may be missing in the list of checks.
    codes = dict.fromkeys([*target.started.checks, *(one.code for one in target.findings)])
    cases = [_check_case(code, target, options) for code in codes]
    cases += [_skip_case(spec, skip) for skip in target.skips]
    seconds = target.finished.seconds if target.finished else None
    return Suite(spec, tuple(cases), seconds)


def _check_case(code: str, target: TargetReport, options: Options) -> Case:
    spec = visible(target.started.spec)
    findings = [finding for finding in target.findings if finding.code == code]
    check = plugins.all_checks().get(code)
    name = findings[0].name if findings else check.name if check else ""
    name = Shown("{} {}").format(code, name).strip()
    if not findings and target.finished is None:
        return Case(spec, name, skipped=NOT_FINISHED)
    fail_on: FailOn = "risk" if options.fail_on == "risk" else "bug"  # with never, too
    on_library = options.fail_on_library
    failures = [one for one in findings if fails(one, fail_on, on_library=on_library)]
    return Case(
        spec,
        name,
        failures=tuple(map(_finding_text, failures)),
        output=tuple(_finding_text(finding) for finding in findings if finding not in failures),
        kind=visible(min(failures, key=lambda f: f.verdict.rank).verdict.value if failures else ""),
    )


def _finding_text(finding: Finding) -> Lines:
    lines = [Shown("{}: {}").format(finding.verdict.value, sentence(str(finding.cause)))]
    lines += [library_title(finding.library)] if finding.is_of_library else []
    lines.append(sentence(finding.message))
    lines += [*texts_and_counts(finding), display_command(finding)]
    return tuple(filter(None, lines))


def _skip_case(suite: Shown, skip: Skip) -> Case:
    return Case(suite, visible(skip.what), skipped=visible(skip.reason or "not run"))


def gate_suite(report: Report, gate: GateResult) -> Suite:
    """Return the suite of a gate: a case for all changes, a case for each kind, and the skips."""
    name = Shown("gate {}").format(gate.name)
    failures = tuple(_change_text(change) for change in gate.failing)
    whole = Case(name, Shown("gate"), failures=failures, kind=Shown("gate"))
    cases = [whole, *_kinds(name, gate)]
    cases += [_skip_case(name, skip) for target in report.targets for skip in target.skips]
    return Suite(name, tuple(cases))


def _kinds(name: Shown, gate: GateResult) -> Iterator[Case]:
    changes = sorted(gate.changes, key=lambda change: change.kind)
    for kind, group in groupby(changes, lambda change: change.kind):
        same_kind = list(group)
        yield Case(
            name,
            visible(kind),
            failures=tuple(_change_text(change) for change in same_kind if change.fails),
            output=tuple(_change_text(change) for change in same_kind if not change.fails),
            kind=visible(kind),
        )


def _change_text(change: Change) -> Lines:
    lines = [Shown("{}: {}").format(change.kind, sentence(change.what))]
    lines += [sentence(part.message) for part in (change, *change.related)]
    lines += [] if change.renderings is None else rendering_lines(change.renderings)
    for example in change.examples:
        text = shorten(example.text, MAX_TEXT)
        lines.append(Shown('"{}" {} -> {}').format(text, str(example.before), str(example.after)))
    lines += commands(change)
    return tuple(filter(None, lines))


def incomplete_suite(why: Shown) -> Suite:
    """Return the suite with the error that the report is incomplete."""
    name = Shown("tokharness")
    return Suite(name, (Case(name, Shown("run"), error=why),))


NAME = "junit"


def render(report: Report, *, width: int | None = None, color: bool = False) -> Shown:
    """Render the report as XML."""
    if report.gate is not None:
        suites = [gate_suite(report, report.gate)]
    else:
        suites = [target_suite(target, report.options) for target in report.targets]
    if why := incomplete(report):
        suites.append(incomplete_suite(why))
    counts = _counts(suites)
    del counts["skipped"]  # an attribute of suites only
    root = ET.Element("testsuites", {"name": "tokharness"} | counts)
    for suite in suites:
        times = {} if suite.seconds is None else {"time": f"{suite.seconds:.3f}"}
        attributes = {"name": suite.name} | _counts([suite]) | times
        element = ET.SubElement(root, "testsuite", attributes)
        for case in suite.cases:
            _case(element, case)
    return shown_xml(root)


def _counts(suites: list[Suite]) -> dict[str, str]:
    cases = [case for suite in suites for case in suite.cases]
    counts = {
        "tests": len(cases),
        "failures": sum(bool(case.failures) for case in cases),
        "errors": sum(bool(case.error) for case in cases),
        "skipped": sum(bool(case.skipped) for case in cases),
    }
    return {name: str(count) for name, count in counts.items()}


def _case(suite: ET.Element, case: Case) -> None:
    element = ET.SubElement(suite, "testcase", {"classname": case.classname, "name": case.name})
    if case.failures:
        # CI services show only the first failure of a case, so there is one.
        summary, more = case.failures[0][0], len(case.failures) - 1
        if more:
            summary = Shown("{} (and {} more)").format(summary, more)
        failure = ET.SubElement(element, "failure", {"message": summary, "type": case.kind})
        failure.text = _text(case.failures)
    if case.error:
        ET.SubElement(element, "error", {"message": case.error, "type": "interrupted"})
    if case.skipped:
        ET.SubElement(element, "skipped", {"message": case.skipped})
    if case.output:
        ET.SubElement(element, "system-out").text = _text(case.output)


def _text(paragraphs: Iterable[Iterable[Shown]]) -> Shown:
    return Shown("\n\n").join(map(Shown("\n").join, paragraphs))
