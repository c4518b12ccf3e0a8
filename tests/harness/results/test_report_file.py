"""A report is read back as written, and an invalid file is refused with one sentence."""

import contextlib
import json
from dataclasses import fields, replace
from pathlib import Path

import jsonschema
import pytest

from tokharness import plugins
from tokharness.changes import Change, Example, GateResult
from tokharness.config import Options
from tokharness.engine.events import (
    CampaignFinished,
    CauseDiscovered,
    FamilyFinished,
    FindingReported,
    MetricsCollected,
    SkipRecorded,
    TargetFinished,
    TargetStarted,
)
from tokharness.engine.measures import measures
from tokharness.errors import UsageError
from tokharness.formats import json_object
from tokharness.model import Cause, Finding, Skip, Verdict
from tokharness.results.report import Collector
from tokharness.results.report_record import read, schema

WRONG = (None, 7, "x", [], {}, [None], {"a": None})
HOSTILE = "\ud800 \u202e \x1b[2J </script> \\u{41}"


def finding(target, text=HOSTILE, **fields):
    cause = Cause("kind", (("of", HOSTILE),), Verdict.BUG, HOSTILE)
    values = {"count": 3, "families": ("digits",), "reproduce": "x", "evidence": {"twin": "a"}}
    return Finding(
        target, "TOK101", "lossy-round-trip", cause, **{"text": text, **values, **fields}
    )


def whole():
    """A report with everything that a report can have."""
    collector = Collector(Options(select=("TOK101",), fail_on="risk"))
    for target in ("one", HOSTILE):
        started = TargetStarted(target, None, ("count",), "NFC", "16.0", ("digits",), ("TOK101",))
        campaign = CampaignFinished(
            target, 1, 2, 3, 4, 5.5, {"words": 4}, {"tokens": 7, "each": 0.5}
        )
        events = [
            started,
            FamilyFinished(target, "digits", 4, 0),
            CauseDiscovered(target, "TOK101", "", Cause("kind: of"), HOSTILE, 0.5),
            FindingReported(finding(target)),
            FindingReported(finding(target, text=b"\xff\x00", other_checks=("TOK102",))),
            FindingReported(finding(target, text=None, families=())),
            SkipRecorded(Skip(target, HOSTILE, HOSTILE)),
            MetricsCollected(target, {"growth": [{"unit": "a", "sizes": [1], "seconds": [0.1]}]}),
            campaign,
            TargetFinished(target, 4, 1.5, 0.5),
        ]
        for event in events:
            collector.add(event)
    report = collector.report()
    bug = report.targets[0].findings[0]
    changes = (
        Change("new-finding", HOSTILE, "m", "a" * 16, finding=bug, count=3, next=(HOSTILE, "b")),
        Change(
            *("changed-ids", "what", "m", "f" * 16),
            fails=False,
            examples=(Example(HOSTILE, (1, 2), "TypeError"),),
            count=9,
            cause=Cause("kind", (("a", "b"),)),
            related=(
                Change("changed-ids", "x", "y", "e" * 16, count=5),
                Change("new-finding", "x", "z", "d" * 16, finding=bug),
            ),
        ),
    )
    gate = GateResult("name", "against", changes, accepted=1, golden_texts=100)
    more = {"locations": {"one": "a.py"}, "not_run": ("three",), "policy": {"path": "x"}}
    return replace(report, gate=gate, embedding_width=8, **more)


@pytest.fixture(name="path")
def _path(tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json_object.render(whole()), encoding="utf-8")
    return path


def test_a_written_report_is_read_back(path):
    assert json_object.render(read(path)) == path.read_text("utf-8")


@pytest.mark.parametrize("name", plugins.formats())
@pytest.mark.parametrize(
    "changes", [{}, {"embedding_width": None}, {"embedding_width": None, "gate": None}]
)
def test_every_format_renders_a_read_report_as_it_renders_the_run(tmp_path, name, changes):
    report = replace(whole(), **changes)
    path = tmp_path / "run.json"
    path.write_text(json_object.render(report), encoding="utf-8")
    render = plugins.formats()[name].render
    assert render(read(path)) == render(report)


def test_each_key_of_a_report_has_a_description():
    assert all(value["description"] for value in schema()["properties"].values())


def test_the_schema_describes_every_measure():
    described = set(schema()["$defs"]["measures"]["properties"])
    assert {*measures(), "corpus", "parallel", "texts"} == described, (
        "edit harness/tokharness/schemas/report.json"
    )


def test_the_schema_describes_every_option():
    names = {field.name for field in fields(Options)}
    described = set(schema()["$defs"]["options"]["properties"])
    assert names == described, "edit harness/tokharness/schemas/report.json"


@pytest.mark.slow
def test_a_report_meets_its_schema(path):
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(json.loads(path.read_text("utf-8")), schema())


@pytest.mark.slow
def test_a_run_with_metrics_is_read_back(tmp_path, a_run):
    path = tmp_path / "run.json"
    path.write_text(json_object.render(a_run), encoding="utf-8")
    assert json_object.render(read(path)) == path.read_text("utf-8")


@pytest.fixture(name="a_run", scope="module")
def _a_run(events):
    spec = "python:planted.normalization:strips_accents"
    collector = Collector(Options(profile="quick"))
    for event in events(spec, families=("letter-case",), measures=True):
        collector.add(event)
    return collector.report()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "invalid JSON"),
        ("[]", "is not a report with schema version 2"),
        ("{}", "is not a report with schema version 2"),
        ('{"schema_version": 3}', "is not a report with schema version 2"),
        ('{"schema_version": 2}', "is a required property"),
        ("[" * 100_000, "invalid JSON"),
        ('{"schema_version": NaN}', "JSON does not allow NaN"),
    ],
)
def test_a_file_that_is_not_a_report_is_refused(tmp_path, content, message):
    path = tmp_path / "run.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        read(path)


def paths_of(value, parent=()):
    """Yield the path of every value of a record; of a list, only of the first item."""
    items = value.items() if isinstance(value, dict) else enumerate(value[:1])
    for key, item in items:
        yield (*parent, key)
        if isinstance(item, dict | list):
            yield from paths_of(item, (*parent, key))


def test_an_invalid_value_is_refused_or_rendered(path):
    text = path.read_text("utf-8")
    for number, keys in enumerate(list(paths_of(json.loads(text)))[::2]):
        record = inner = json.loads(text)
        for key in keys[:-1]:
            inner = inner[key]
        inner[keys[-1]] = WRONG[number % len(WRONG)]
        path.write_text(json.dumps(record), encoding="utf-8")
        with contextlib.suppress(UsageError):
            json_object.render(read(path))


def test_a_missing_file_is_reported():
    with pytest.raises(UsageError, match="cannot read the report /no/such/file"):
        read(Path("/no/such/file"))
