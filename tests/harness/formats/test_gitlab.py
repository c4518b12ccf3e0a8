"""GitLab's Code Quality report: a JSON array that GitLab accepts."""

import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness.config import Options
from tokharness.formats.gitlab import render
from tokharness.results.report import Collector

SEVERITIES = {"blocker", "critical", "major", "minor", "info"}


def read(report):
    return json.loads(render(report))


def assert_accepted(entries):
    """Check what GitLab's documentation requires of an entry."""
    for entry in entries:
        assert all(isinstance(entry[key], str) for key in ("description", "check_name"))
        assert entry["severity"] in SEVERITIES
        assert entry["location"]["path"]
        assert not entry["location"]["path"].startswith(("/", "./"))
        assert entry["location"]["lines"] == {"begin": 1}
    assert len({entry["fingerprint"] for entry in entries}) == len(entries)


def test_bugs_are_critical_and_risks_are_minor(report):
    entries = read(report)
    assert_accepted(entries)
    assert [entry["severity"] for entry in entries] == ["critical", "minor"]
    assert {entry["check_name"] for entry in entries} == {"TOK999"}


def test_a_description_has_cause_and_text(report):
    description = read(report)[0]["description"]
    assert description.startswith("TOK999 a-name: a kind: ")
    assert "smallest text" in description


def test_the_location_is_that_of_the_target_or_of_the_project(report):
    assert {entry["location"]["path"] for entry in read(report)} == {"pyproject.toml"}
    spec = report.targets[0].started.spec
    entries = read(replace(report, locations={spec: "src/tok.py"}))
    assert {entry["location"]["path"] for entry in entries} == {"src/tok.py"}


def test_a_fingerprint_is_that_of_the_finding(make_report, make_finding):
    (entry,) = read(make_report(make_finding()))
    assert entry["fingerprint"] == make_finding().fingerprint


def test_a_finding_of_two_targets_is_two_entries_with_unique_fingerprints(
    make_report, make_finding
):
    first = make_report(make_finding(spec="a"))
    second = make_report(make_finding(spec="b"))
    both = replace(first, targets=first.targets + second.targets)
    entries = read(both)
    assert_accepted(entries)
    assert entries[0] == read(first)[0]
    assert read(both) == entries


def test_a_failing_change_of_a_gate_is_a_blocker(make_gate, make_change):
    (entry,) = read(make_gate(make_change(), make_change(fails=False)))
    assert entry["severity"] == "blocker"
    assert entry["check_name"] == "changed-ids"


def test_a_run_without_problems_is_an_empty_array():
    assert render(Collector(Options()).report()) == "[]\n"


def test_an_interrupted_run_adds_an_entry(make_report, make_finding):
    entries = read(make_report(make_finding(), interrupted=True))
    assert_accepted(entries)
    assert entries[-1]["check_name"] == "interrupted"
    assert entries[-1]["severity"] == "info"


@given(st.text(st.characters(exclude_categories=())))
@settings(max_examples=40)
def test_the_output_is_ascii_and_visible_for_any_text(reports_of_text, shows_itself, text):
    for report in reports_of_text(text):
        output = render(report)
        assert output.isascii()
        assert output.replace("\n", "").isprintable()
        entries = json.loads(output)
        assert len({entry["fingerprint"] for entry in entries}) == len(entries)
        for entry in entries:
            assert shows_itself(entry["description"] + entry["location"]["path"])
            assert "\n" not in entry["description"]
