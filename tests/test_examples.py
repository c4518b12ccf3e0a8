"""The examples in ``reports/examples`` are up to date."""

import importlib.util
import json
from pathlib import Path

import pytest

from tokharness.formats import html
from tokharness.results.report_record import read, report_record
from tokharness.results.versions import versions

HERE = Path(__file__).with_name("make_examples.py")
spec = importlib.util.spec_from_file_location("make_examples", HERE)
make_examples = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_examples)

TIMED = ("growth", "throughput")
"""Measures that differ between runs."""


@pytest.mark.slow
@pytest.mark.parametrize("name", make_examples.TARGETS)
def test_the_page_is_rendered_from_its_json(name):
    report = read(make_examples.FOLDER / f"{name}.json")
    page = (make_examples.FOLDER / f"{name}.html").read_text("utf-8")
    assert html.render(report) == page, "run python tests/make_examples.py"


@pytest.mark.slow
def test_a_run_gives_the_same_results():
    name, spec = "faulty", make_examples.TARGETS["faulty"]
    before = json.loads((make_examples.FOLDER / f"{name}.json").read_text("ascii"))
    if before["versions"] != versions():
        before, now = causes(before), causes(report_record(make_examples.example(spec)))
    else:
        now = without_times(json.loads(make_examples.line(make_examples.example(spec))))
        before = without_times(before)
    assert now == before, "run python tests/make_examples.py"


def without_times(record):
    record["timings"] = record["created"] = None
    for target in record["targets"]:
        for name in TIMED:
            target["measures"][name] = None
    return record


def causes(record):
    """Causes of bugs, which do not depend on the releases of libraries."""
    bugs = [finding for finding in record["findings"] if finding["verdict"] == "bug"]
    return [(bug["code"], bug["cause"]) for bug in bugs]
