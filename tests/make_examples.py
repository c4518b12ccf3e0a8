"""Regenerate ``reports/examples``: ``python tests/make_examples.py``.

For each target: the JSON report of a run, on one line to keep it small, and its HTML page.
"""

import json
from dataclasses import replace
from pathlib import Path

from tokharness.config import Options
from tokharness.engine.run.run import run
from tokharness.formats import html
from tokharness.results.report import Collector
from tokharness.results.report_record import report_record

FOLDER = Path(__file__).parents[1] / "reports" / "examples"
TARGETS = {
    "embedded": "reference",
    "faulty": "python:planted.normalization:composes_to_nfkc",
}


def example(spec):
    """Return the report of ``check --profile quick --measure`` on a target."""
    collector = Collector(Options(profile="quick"))
    for event in run([spec], collector.options, jobs=2, measures=True):
        collector.add(event)
    return replace(collector.report(), locations={})


def line(report):
    """Return a report as one line of JSON."""
    return json.dumps(report_record(report), ensure_ascii=True, separators=(",", ":")) + "\n"


def main():
    """Write the JSON and the HTML of each target."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, spec in TARGETS.items():
        report = example(spec)
        (FOLDER / f"{name}.json").write_text(line(report), encoding="ascii")
        (FOLDER / f"{name}.html").write_text(html.render(report), encoding="utf-8")


if __name__ == "__main__":
    main()
