"""Compare two vocabularies, and print the differences."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.cli._audit import OF_TEXTS
from tokharness.cli._output import parse_report_files, print_report, write_reports
from tokharness.cli._run import collect_report
from tokharness.cli._run_request import parse_run_options
from tokharness.engine.run.selection import OF_VOCABULARY
from tokharness.engine.run.vocabulary_comparison import compare_vocabularies
from tokharness.errors import UnknownNameError, UsageError
from tokharness.formats import _vocabulary_lines, _vocabulary_rows
from tokharness.plugins import Format
from tokharness.results.vocabulary_comparison import vocabulary_comparison

if TYPE_CHECKING:
    from tokharness.cli._run_request import RunRequest

__all__ = ["compare"]

FORMATS = {
    name: Format(name, "", render)
    for name, render in {
        "terminal": _vocabulary_lines.render,
        "json": _vocabulary_rows.as_json,
        "jsonl": _vocabulary_rows.as_lines,
        "csv": _vocabulary_rows.as_csv,
    }.items()
}

OF_CHECKS = ("against", "select", "ignore", "embeddings")
"""Options of an audit, which runs checks."""


def compare(targets: tuple[str, str], values: dict[str, Any]) -> int:
    """Compare the vocabularies of two targets, print the result, and return the exit code."""
    if values["corpus"]:  # a shell expands a pattern, and its second file takes the second place
        raise UsageError(
            "--corpus is for the audit of one target, and takes one file, folder or pattern: quote "
            "the pattern, or omit the second target"
        )
    names = [values["format_name"], *(value.partition("=")[0] for value in values["reports"])]
    for name in names:
        if name not in FORMATS:
            raise UnknownNameError("format of a comparison of vocabularies", name, FORMATS)
    files = parse_report_files(values["reports"], instead=FORMATS)
    request = parse_run_options({**values, **OF_TEXTS}, targets)
    _refuse(request)
    of_request = request.options
    options = replace(of_request, against="none", select=(OF_VOCABULARY,), ignore=(), families=())
    first, second = request.specs
    events = compare_vocabularies((first, second), options, jobs=min(request.jobs, 1))
    report = collect_report(events, options, request.specs, task="measuring")
    if report.error is not None:
        raise report.error
    if report.interrupted:
        return 130
    comparison = vocabulary_comparison(report)
    failures = write_reports(comparison, files)
    print_report(comparison, FORMATS[values["format_name"]])
    if failures:
        raise failures[0]
    return int(not comparison.is_equal and values["fail_on"] != "never")


def _refuse(request: RunRequest) -> None:
    """Raise UsageError for an option that has no effect on a comparison."""
    for name in OF_CHECKS:
        if name in request.explicit:
            raise UsageError(
                f"--{name} is for the audit of one target: omit it, or omit the second target"
            )
