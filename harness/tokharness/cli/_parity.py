"""Run a parity, and print the result."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness import interrupts, plugins
from tokharness.cli._gate_run import parse_date, today
from tokharness.cli._output import parse_report_files, print_report, write_reports
from tokharness.cli._progress import say
from tokharness.cli._run import specs_of_words
from tokharness.cli._run_request import (
    parse_jobs,
    parse_size,
    read_policy,
    refuse_empty,
    split_commas,
)
from tokharness.config import Options
from tokharness.engine.run.selection import select_families
from tokharness.errors import (
    NotFinishedError,
    NothingCheckedError,
    TokharnessError,
    UnknownNameError,
)
from tokharness.escaping import terminal
from tokharness.parity_matrix.folder import contents_of
from tokharness.parity_matrix.formats import FORMATS
from tokharness.parity_matrix.model import describe_unmet, exit_code, unmet, with_expected
from tokharness.parity_matrix.running import parity
from tokharness.parity_matrix.words import not_finished

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Sequence

    from tokharness.parity_matrix.model import Disagreement, Parity
    from tokharness.policy import ExpectedDifference


def run(targets: tuple[str, ...], values: dict[str, Any]) -> int:
    """Compare targets, or what lies in a folder; print the result, and return the exit code."""
    names = [values["format_name"], *(value.partition("=")[0] for value in values["reports"])]
    for name in names:
        if name not in FORMATS:
            raise UnknownNameError("format of a parity", name, FORMATS)
    files = parse_report_files(values["reports"], instead=FORMATS)
    options, jobs = _options(values), parse_jobs(values["jobs"])
    specs, disagreements = _specs(targets)
    now = parse_date(values["as_of"], "--as-of") or today()
    policy = read_policy(values["config"])
    interrupts.defer()
    # The output of a target is not part of the result.
    with contextlib.redirect_stdout(sys.stderr):
        result = parity(
            specs,
            options,
            jobs=jobs,
            disagreements=disagreements,
            named=len(targets) > 1,
            progress=_progress(),
        )
    result = _judged(result, policy.parity, now, is_whole=not options.families)
    failures = write_reports(result, files)
    print_report(result, FORMATS[values["format_name"]])
    if failures:
        raise failures[0]
    code = exit_code(result, values["fail_on"])
    if result.error is not None:
        raise result.error
    if code == 2 and result.compared:
        raise NotFinishedError(f"the run is not finished: {not_finished(result)}")
    if code == 2:
        problems = "; ".join(one.problem for one in result.forms if one.problem)
        raise NothingCheckedError(
            f"nothing was compared: {problems or 'no two forms show the same'}"
        )
    return code


def _judged(
    result: Parity, expectations: Sequence[ExpectedDifference], now: dt.date, *, is_whole: bool
) -> Parity:
    """Return the result with what the policy expects; a part of a run leaves the rest open."""
    result = with_expected(result, expectations, now)
    left = unmet(result, expectations)
    if is_whole and exit_code(result, "never") == 0:
        return replace(result, unmet=tuple(describe_unmet(result, one) for one in left))
    for one in left:
        say(terminal(f"tokharness: this run does not show whether {one.cause!r} is still found"))
    return result


def _options(values: dict[str, Any]) -> Options:
    refuse_empty(values)
    options = Options(
        families=split_commas(values["family"]),
        profile=values["profile"],
        seed=values["seed"],
        examples=values["examples"],
        time_limit=values["time_limit"],
        memory_limit=parse_size(values["memory_limit"]),
        load_limit=values["load_limit"],
        run_limit=values["run_limit"],
    )
    select_families(options)  # an unknown family is a mistake of the user
    return options


def _specs(targets: tuple[str, ...]) -> tuple[Sequence[str], Sequence[Disagreement]]:
    """Return the targets; for a single folder, what lies in it and what its files disagree in."""
    if len(targets) == 1 and Path(targets[0]).is_dir():
        found = contents_of(Path(targets[0]))
        return found.specs, found.disagreements
    return [_spec(word) for word in targets], ()


def _spec(word: str) -> str:
    """Return the spec of a target; a release that cannot be made is a form that says so."""
    try:
        (spec,) = specs_of_words([word])
    except TokharnessError:
        if plugins.release_in(word) is None:
            raise
        return word
    return spec


def _progress() -> Callable[[str], object]:
    """Return what shows the present work: on a terminal, each kind of work once."""
    shown: set[str] = set()

    def progress(what: str) -> None:
        if what not in shown and sys.stderr.isatty():
            shown.add(what)
            say(terminal(f"tokharness: {what}"))

    return progress
