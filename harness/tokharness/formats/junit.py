"""JUnit XML, in ASCII: a suite for each target, with a case for each check.

Bugs fail a case, and risks too with ``--fail-on risk``; other risks and facts are its
output. Skips are skipped cases. A gate is one suite, with a case for each kind of change, and a
case ``gate`` that fails if any change does. An interrupted run has an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from tokharness.escaping import Shown, shown_xml
from tokharness.formats._junit_suites import (
    Case,
    Suite,
    gate_suite,
    incomplete_suite,
    target_suite,
)
from tokharness.formats._wording import incomplete

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.results.report import Report

__all__ = ["NAME", "render"]

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
