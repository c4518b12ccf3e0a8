"""Run an audit, or compare two vocabularies, and print the report."""

from __future__ import annotations

import glob
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokharness import plugins
from tokharness.cli._output import emit_report, parse_report_files, print_report, write_reports
from tokharness.cli._run import collect_report, judge_expectations, with_policy
from tokharness.cli._run_request import parse_run_options
from tokharness.diagnosis.vocabulary.corpus import texts_of_corpus
from tokharness.embeddings.choice import check_file
from tokharness.engine.run.report_requests import WHAT
from tokharness.engine.run.run import compare_vocabularies, run
from tokharness.engine.run.selection import (
    CORPUS,
    EMBEDDINGS,
    OF_VOCABULARY,
    is_of_vocabulary,
    refuse_other_checks,
    select_checks,
)
from tokharness.errors import NotFinishedError, UnknownNameError, UsageError
from tokharness.escaping import terminal
from tokharness.formats import _token_csv, _token_lines, _vocabulary_rows
from tokharness.formats._wording import incomplete
from tokharness.plugins import Format
from tokharness.policy import open_expectations
from tokharness.results.report import exit_code
from tokharness.results.vocabulary_comparison import vocabulary_comparison

if TYPE_CHECKING:
    from tokharness.cli._run_request import RunRequest
    from tokharness.config import Options
    from tokharness.results.report import Report

ROWS = {
    form.NAME: Format(form.NAME, form.__doc__ or "", form.render)
    for form in (_token_csv, _token_lines)
}
"""Formats with a row for each token, unlike the formats of the same names for findings."""

OF_TEXTS = {"family": (), "profile": "standard", "seed": 0, "examples": None, "keep_going": False}
"""Options of runs on texts, which an audit does not have."""


def audit(target: str, values: dict[str, Any]) -> int:
    """Audit a target, print the report, and return the exit code."""
    output_format = ROWS.get(values["format_name"]) or plugins.find(
        "format", values["format_name"], plugins.formats()
    )
    files = parse_report_files(values["reports"], instead=ROWS)
    request = _request(target, values)
    lists = any(form in ROWS.values() for form in (output_format, *(form for form, _ in files)))
    report, sentences = _report(request, lists_tokens=lists)
    lost = [skip for target in report.targets for skip in target.skips if skip.what == WHAT]
    errors = [f"{skip.spec}: {skip.what} are not listed: {skip.reason}" for skip in lost]
    emit_report(report, output_format, files, errors)
    for sentence in sentences:
        click.echo(terminal(f"tokharness: {sentence}"), err=True)
    return exit_code(report, request.options.fail_on)


def _request(target: str, values: dict[str, Any]) -> RunRequest:
    """Return the request of a run; raises UsageError for a check that an audit does not run."""
    request = parse_run_options({**values, **OF_TEXTS}, (target,))
    options = replace(
        request.options,
        select=_selected(request),
        families=(),
        corpus=_corpus(values["corpus"]),
        embeddings=_existing(values["embeddings"], "--embeddings"),
    )
    _check_files(options)
    return replace(request, options=options)


def _check_files(options: Options) -> None:
    """Read the files of the user before the run; raises UsageError if a file is wrong."""
    needed = {name for check in select_checks(options) for name in check.requires}
    for name in (CORPUS, EMBEDDINGS):
        if getattr(options, name) and name not in needed:
            raise UsageError(f"no selected check reads --{name}: select the check that does, too")
    if options.corpus:
        for _ in texts_of_corpus(options.corpus):
            pass
    if options.embeddings:
        check_file(options.embeddings)


def _selected(request: RunRequest) -> tuple[str, ...]:
    """Return the checks to run: the policy's checks of the vocabulary, or all such checks."""
    selectors = request.options.select
    if "select" in request.explicit:
        refuse_other_checks(selectors)
        return selectors
    checks = select_checks(request.options) if selectors else []
    codes = tuple(check.code for check in checks if is_of_vocabulary(check))
    return codes or (OF_VOCABULARY,)


def _corpus(values: tuple[str, ...]) -> str | None:
    """Return the corpus; raises UsageError for several corpora, or a corpus that does not exist."""
    if len(values) > 1:
        raise UsageError("--corpus takes one file, folder or pattern: name all files by a pattern")
    name = values[0] if values else None
    return name if name and glob.has_magic(name) else _existing(name, "--corpus")


def _existing(value: str | None, option: str) -> str | None:
    """Return the path of a file of the user; raises UsageError if it does not exist."""
    if value is None:
        return None
    paths = [Path(value), Path(value.rpartition(":")[0] or value)]
    if not value.strip() or not any(path.exists() for path in paths):
        raise UsageError(f"{option} {value} does not exist: pass the path of a file")
    return value


def _report(request: RunRequest, *, lists_tokens: bool) -> tuple[Report, list[str]]:
    """Run the audit; return the report, and a sentence for each expectation that is not met."""
    # The rows need results of the checks, which only the same worker knows.
    jobs = min(request.jobs, 1) if lists_tokens else request.jobs
    events = run(request.specs, request.options, jobs=jobs, tokens=lists_tokens)
    report = with_policy(collect_report(events, request.options, request.specs), request)
    left_open = open_expectations(report, request.policy)  # a check on texts may meet them
    expected = tuple(one for one in request.policy.expect if one not in left_open)
    judged = replace(request, policy=replace(request.policy, expect=expected))
    return judge_expectations(report, judged)


# Compare two vocabularies, and print the differences.

FORMATS = {
    name: Format(name, "", render)
    for name, render in {
        "terminal": _vocabulary_rows.render,
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
    if report.unfinished:
        raise NotFinishedError(incomplete(report))
    return int(not comparison.is_equal and values["fail_on"] != "never")


def _refuse(request: RunRequest) -> None:
    """Raise UsageError for an option that has no effect on a comparison."""
    for name in OF_CHECKS:
        if name in request.explicit:
            raise UsageError(
                f"--{name} is for the audit of one target: omit it, or omit the second target"
            )
