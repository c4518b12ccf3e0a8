"""The examples in ``reports`` are what the commands give today."""

import importlib.util
import json
from pathlib import Path

import pytest

from tokharness.formats import html
from tokharness.results.report_record import report_record
from tokharness.results.report_file import read
from tokharness.results.versions import versions

HERE = Path(__file__).with_name("make_examples.py")
spec = importlib.util.spec_from_file_location("make_examples", HERE)
make_examples = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_examples)

MEASURED_ANEW = ("growth", "throughput")


@pytest.mark.parametrize("name", make_examples.TARGETS)
def test_the_page_is_that_of_its_run(name):
    report = read(make_examples.FOLDER / f"{name}.json")
    page = (make_examples.FOLDER / f"{name}.html").read_text("utf-8")
    assert html.render(report) == page, "run python tests/make_examples.py"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "spec"), make_examples.TARGETS.items())
def test_a_run_of_today_says_the_same(name, spec):
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
        for name in MEASURED_ANEW:
            target["measures"][name] = None
    return record


def causes(record):
    """What other releases of libraries do not change: the bugs."""
    return [(one["code"], one["cause"]) for one in record["findings"] if one["verdict"] == "bug"]
