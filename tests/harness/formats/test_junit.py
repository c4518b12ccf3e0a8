"""JUnit XML: well-formed for any text, and no skip is a pass."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness.config import Options
from tokharness.escaping import visible
from tokharness.formats.junit import render
from tokharness.model import Cause, Verdict
from tokharness.results.report import Collector


def read(report):
    return ET.fromstring(render(report))  # noqa: S314 - our own output


def cases_of(root):
    return {case.get("name"): case for case in root.iter("testcase")}


def test_a_target_is_a_suite_and_a_check_is_a_case(report, hostile):
    root = read(report)
    (suite,) = root
    assert suite.get("name") == visible(f"python:{hostile}.py:make")
    assert suite.get("time") == "1.500"
    case = cases_of(root)["TOK999 a-name"]
    assert case.get("classname") == suite.get("name")


def test_bugs_fail_and_risks_are_output(report):
    case = cases_of(read(report))["TOK999 a-name"]
    assert case.find("failure").get("type") == "bug"
    assert case.find("failure").text.startswith("bug: ")
    assert "risk: " in case.find("system-out").text
    assert "fact: " in case.find("system-out").text


def test_risks_fail_with_fail_on_risk(make_report, make_finding):
    report = make_report(make_finding(Verdict.RISK))
    assert read(report).get("failures") == "0"
    report = replace(report, options=Options(fail_on="risk"))
    case = cases_of(read(report))["TOK999 a-name"]
    assert case.find("failure").get("type") == "risk"


def test_a_check_without_findings_passes(make_report):
    case = cases_of(read(make_report()))["TOK999"]
    assert list(case) == []


def test_a_skip_is_a_skipped_case_with_its_reason(report, hostile):
    case = cases_of(read(report))[visible(f"what {hostile}")]
    assert case.find("skipped").get("message") == visible(f"why {hostile}")


def test_counts_are_those_of_the_cases(report):
    root = read(report)
    expected = {"tests": "2", "failures": "1", "errors": "0"}
    assert root.attrib == {"name": "tokharness", **expected}
    assert root[0].attrib.items() >= {**expected, "skipped": "1"}.items()


def test_several_bugs_of_a_check_are_one_failure(make_report, make_finding):
    causes = [Cause("kind", (("n", str(n)),), message=f"bug {n}") for n in range(3)]
    report = make_report(*(make_finding(cause=cause) for cause in causes))
    (failure,) = cases_of(read(report))["TOK999 a-name"].iter("failure")
    assert failure.get("message") == "bug: kind: 0 (and 2 more)"
    assert all(f"bug {n}" in failure.text for n in range(3))


def test_an_interrupted_run_has_an_error_and_skips_unfinished_checks(make_report):
    root = read(make_report(interrupted=True))
    assert root.get("errors") == "1"
    assert cases_of(root)["run"].find("error").get("message")
    assert cases_of(root)["TOK999"].find("skipped") is not None


def test_the_command_can_be_copied_from_a_failure(report, make_finding):
    failure = cases_of(read(report))["TOK999 a-name"].find("failure")
    assert make_finding().reproduce in failure.text.splitlines()


def test_a_gate_is_one_suite_with_a_case_for_each_kind_of_change(make_gate, make_change, hostile):
    note = make_change("new-fact", fails=False)
    root = read(make_gate(make_change(), make_change("over-budget"), note, make_change()))
    (suite,) = root
    assert suite.get("name") == visible(f"gate {hostile}")
    names = [case.get("name") for case in suite]
    assert names[:4] == ["gate", "changed-ids", "new-fact", "over-budget"]
    assert cases_of(root)["changed-ids"].find("failure").get("message").endswith("(and 1 more)")
    assert cases_of(root)["new-fact"].find("failure") is None
    assert cases_of(root)["new-fact"].find("system-out") is not None
    assert cases_of(root)["gate"].find("failure") is not None


def test_a_gate_without_failing_changes_passes(make_gate, make_change):
    root = read(make_gate(make_change(fails=False)))
    assert root.get("failures") == "0"
    assert list(cases_of(root)["gate"]) == []


def test_a_gate_without_changes_has_its_case(make_gate):
    root = read(make_gate())
    assert "gate" in cases_of(root)


def test_an_empty_report_is_well_formed():
    assert len(read(Collector(Options()).report())) == 0


@pytest.mark.parametrize("active", ["\x1b", "\u202e", "\ud800", "\x00", "\ufffe"])
def test_characters_that_xml_forbids_are_escaped(active, make_report, make_finding):
    report = make_report(make_finding(text=f"a{active}b"))
    failure = cases_of(read(report))["TOK999 a-name"].find("failure")
    assert f'"a\\u{{{ord(active):x}}}b"' in failure.text


@given(st.text(st.characters(exclude_categories=())))
@settings(max_examples=40)
def test_every_text_is_in_its_display_form(reports_of_text, shows_itself, text):
    check, gate = map(read, reports_of_text(text))
    for root in (check, gate):
        assert shows_itself("".join(root.itertext()))
        for element in root.iter():
            assert shows_itself("".join(element.attrib.values()))
    assert check[0].get("name") == visible("t" + text)
    assert gate[0].get("name") == f"gate {visible(text)}"
    skipped = [case for case in check[0] if case.find("skipped") is not None]
    assert [case.get("name") for case in skipped] == [visible(f"what {text}")]


@pytest.mark.slow
@given(st.text(st.characters(exclude_categories=())))
@settings(max_examples=40)
def test_the_output_is_ascii(reports_of_text, text):
    for report in reports_of_text(text):
        output = render(report)
        assert output.isascii()
        assert output.endswith("\n")
        assert output.replace("\n", "").isprintable()
