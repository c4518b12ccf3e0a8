"""Reports of older schema versions are read like those of today."""

import json
from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.results.report_file import read
from tokharness.results.report_record import SCHEMA_VERSION, report_record
from tokharness.results.upgrade import upgrade

DATA = Path(__file__).with_name("data")
EXAMPLES = ("embedded", "faulty")
"""The examples in ``reports/examples`` as version 1 wrote them, with two items of each list."""
RENAMED = {"by design": "fact"}
FILES = ("everything", *EXAMPLES)


def load(name):
    return json.loads((DATA / f"version-1-{name}.json").read_text("ascii"))


@pytest.mark.parametrize("name", FILES)
def test_a_version_1_report_is_read_without_loss(name):
    report = read(DATA / f"version-1-{name}.json")
    record = json.loads(json.dumps(report_record(report)))
    upgraded = upgrade(load(name))
    assert record["schema_version"] == SCHEMA_VERSION == 2
    for key in ("summary", "comparison"):  # computed from the lists, of which the files have a part
        del record[key], upgraded[key]
    for target in (*record["targets"], *upgraded["targets"]):
        del target["summary"], target["cases"]
    assert with_keys_of(upgraded, record) == upgraded


def with_keys_of(template, record):
    """The record without the keys that newer code adds, such as those of a new option."""
    if isinstance(template, dict) and isinstance(record, dict):
        pairs = ((key, record[key]) for key in template if key in record)
        return {key: with_keys_of(template[key], value) for key, value in pairs}
    if isinstance(template, list) and isinstance(record, list) and len(template) == len(record):
        return [with_keys_of(*pair) for pair in zip(template, record, strict=True)]
    return record


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_upgraded_report_has_the_values_of_the_old_one(name):
    old, new = load(name), upgrade(load(name))
    expected = [RENAMED.get(value, value) for value in values({**old, "schema_version": 2})]
    assert list(values(new)) == expected


def values(record):
    """Values of a record in order, without their keys."""
    if isinstance(record, dict | list):
        for value in record.values() if isinstance(record, dict) else record:
            yield from values(value)
    else:
        yield record


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", plugins.formats())
def test_every_format_renders_a_version_1_report(name, file):
    assert plugins.formats()[name].render(read(DATA / f"version-1-{file}.json"))


def test_a_change_and_its_related_changes_are_upgraded():
    change = {"changed": 2, "with_it": [{"changed": 1, "with_it": []}]}
    record = {"schema_version": 1, "judgement": {"golden": 3, "changes": [change]}}
    assert upgrade(record)["gate"] == {
        "golden_texts": 3,
        "changes": [{"changed_texts": 2, "related": [{"changed_texts": 1, "related": []}]}],
    }


def test_a_verdict_and_a_kind_of_change_are_upgraded():
    change = {"kind": "lost-capability", "related": [{"kind": "new-capability", "what": "count"}]}
    record = {
        "schema_version": 2,
        "summary": {"bug": 1, "by design": 2},
        "targets": [{"summary": {"by design": 2}}],
        "findings": [{"verdict": "by design", "message": "by design"}, {"verdict": "bug"}],
        "gate": {"changes": [change]},
    }
    assert upgrade(record) == {
        "schema_version": 2,
        "summary": {"bug": 1, "fact": 2},
        "targets": [{"summary": {"fact": 2}}],
        "findings": [{"verdict": "fact", "message": "by design"}, {"verdict": "bug"}],
        "gate": {
            "changes": [
                {
                    "kind": "lost-entry-point",
                    "related": [{"kind": "new-entry-point", "what": "count"}],
                }
            ]
        },
    }


@pytest.mark.parametrize("record", [None, [], "text", {}, {"schema_version": 2, "judgement": 3}])
def test_a_record_of_another_version_is_unchanged(record):
    assert upgrade(record) == record


@pytest.mark.parametrize("value", [None, 3, "text", [3], {"a": 3}, [[{"target": 3}]]])
def test_a_malformed_record_does_not_raise(value):
    keys = ("targets", "findings", "skips", "judgement", "comparison")
    assert upgrade({"schema_version": 1, **dict.fromkeys(keys, value)})["schema_version"] == 2
