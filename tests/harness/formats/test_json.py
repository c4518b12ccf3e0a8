"""JSON and JSON lines: ASCII, exact, complete."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.events import finding_record
from tokharness.model import Cause, Finding
from tokharness.results.report import Collector
from tokharness.results.report_record import SCHEMA_VERSION

FINDING_KEYS = {
    *("spec", "code", "name", "verdict", "cause", "count", "text", "families", "message"),
    *("fingerprint", "reproduce"),
}


def split_surrogate_pairs(text):
    """Put a letter between the halves of surrogate pairs, which JSON joins."""
    return re.sub("(?<=[\ud800-\udbff])(?=[\udc00-\udfff])", "a", text)


def render(name, report):
    return plugins.formats()[name].render(report, width=40, color=True)


@pytest.fixture
def record(report):
    return json.loads(render("json", report))


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_the_output_is_printable_ascii_and_ends_in_a_newline(report, name):
    output = render(name, report)
    assert output.isascii()
    assert output.replace("\n", "").isprintable()
    assert output.endswith("\n")


def test_the_object_has_the_keys_of_the_schema(record):
    assert record["schema_version"] == SCHEMA_VERSION
    assert record["interrupted"] is False
    assert record["options"]["seed"] == 0
    assert {"python", "tokharness", "unicode", "packages", "targets"} <= record["versions"].keys()
    assert record["versions"]["packages"]["tiktoken"]
    assert record["summary"] == {"bug": 1, "risk": 1, "fact": 1, "library": 0}
    assert record["timings"][0]["seconds"] == 1.5
    (target,) = record["targets"]
    assert target["cases"] == 1234
    assert target["families"] == {"digits": 1234}


def test_every_finding_has_the_keys_of_the_schema(record):
    assert len(record["findings"]) == 3
    for finding in record["findings"]:
        assert finding.keys() >= FINDING_KEYS


def test_texts_are_exact(record, hostile):
    first = record["findings"][0]
    assert first["text"] == hostile
    assert first["evidence"] == {"text": hostile}
    assert first["spec"] == f"python:{hostile}.py:make"


def test_bytes_are_hex_and_their_text_is_null(record):
    assert record["findings"][1]["bytes"] == "ff0061"
    assert record["findings"][1]["text"] is None
    assert "bytes" not in record["findings"][0]


def test_skips_have_their_reason(record, hostile):
    (skip,) = record["skips"]
    assert skip["what"] == f"what {hostile}"
    assert skip["reason"] == f"why {hostile}"


def test_verdicts_and_fingerprints_are_those_of_the_findings(record, make_finding):
    assert [one["verdict"] for one in record["findings"]] == ["bug", "risk", "fact"]
    assert record["findings"][0]["fingerprint"] == make_finding().fingerprint


@given(st.text(st.characters(exclude_categories=())))
def test_every_text_without_surrogate_pairs_is_exact(text):
    text = split_surrogate_pairs(text)
    finding = Finding("x", "TOK999", "a-name", Cause("kind"), 1, text, (), "")
    assert json.loads(json.dumps(finding_record(finding)))["text"] == text


def test_each_line_is_an_object_with_its_type(report):
    types = [json.loads(line)["type"] for line in render("jsonl", report).splitlines()]
    assert types == ["run", "target", "skip", "finding", "finding", "finding", "summary"]


def test_lines_have_the_content_of_the_object(report, record):
    lines = [json.loads(line) for line in render("jsonl", report).splitlines()]
    findings = [line for line in lines if line.pop("type") == "finding"]
    assert findings == record["findings"]
    assert lines[-1]["summary"] == record["summary"]
    assert lines[0]["versions"] == record["versions"]


def test_an_interrupted_run_is_marked_and_has_no_timing(make_report, make_finding):
    record = json.loads(render("json", make_report(make_finding(), interrupted=True)))
    assert record["interrupted"] is True
    assert record["timings"] == []
    assert len(record["findings"]) == 1


def test_an_empty_report_is_an_object():
    record = json.loads(render("json", Collector(Options()).report()))
    assert record["findings"] == record["targets"] == []
