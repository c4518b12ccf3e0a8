"""``tokharness fuzz``: search for what breaks a target, for a time, and keep what was found."""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokharness.cli._run_options import fail_on_option, run_options

if TYPE_CHECKING:
    from tokharness.cli._run_options import Asked
    from tokharness.engine.fuzz import Budget
    from tokharness.results.report import Report

__all__ = ["command"]

SECONDS = 60.0
UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


@click.command("fuzz")
@click.argument("target")
@partial(run_options, without="--examples")
@click.option(
    "--max-time",
    metavar="TIME",
    show_default="60s",
    help="How long to search: 90s, 5m, 1h.",
)
@click.option(
    "--max-examples",
    type=click.IntRange(min=1),
    metavar="N",
    help="Search until so many texts were tried: with --database none the same for the same seed.",
)
@click.option(
    "--database",
    metavar="DIR|none",
    show_default="Hypothesis's: .hypothesis/examples",
    help="Where what is found is kept, so that the next campaign goes on.",
)
@fail_on_option
def command(target: str, **values: Any) -> int:
    """Fuzz TARGET: a campaign of random texts, led by what they reach, past what it finds.

    Texts come from the strategies of all case families, from the target's own tokens, from every
    code point by turns, and from changes of texts that reached something new. Bugs and risks are
    reduced to a smallest text and written to cases/regressions, which check and gate try first.

    A campaign that was ended, or is done, is continued by the same command.
    """
    from tokharness import plugins
    from tokharness.cli._output import report_files
    from tokharness.cli._run_options import asked
    from tokharness.cli._telling import tell
    from tokharness.results.report import exit_code

    wanted = asked({**values, "examples": None}, (target,))
    budget = _budget(values["max_time"], values["max_examples"])
    chosen = plugins.find("format", values["format_name"], plugins.formats())
    files = report_files(values["reports"])
    report = _report(wanted, budget, _database(values["database"]))
    _keep(report, wanted)
    tell(report, chosen, files)
    return exit_code(report, wanted.options.fail_on)


def _report(wanted: Asked, budget: Budget, database: Path | None) -> Report:
    from dataclasses import replace

    from tokharness.cli._places import place_of
    from tokharness.cli._running import collected
    from tokharness.engine.fuzz import fuzz
    from tokharness.policy import applied

    (spec,) = wanted.targets
    options = replace(wanted.options, enumerated=False)
    events = fuzz(
        spec,
        options,
        budget,
        jobs=wanted.jobs,
        database=database,
        measures=wanted.measured,
    )
    report = applied(collected(events, options, [spec]), wanted.policy)
    return replace(report, places={spec: place_of(spec, [wanted.policy.path])})


def _keep(report: Report, wanted: Asked) -> None:
    """Write the texts of what was found where every later run tries them first."""
    from tokharness.engine import regressions
    from tokharness.escaping import terminal

    folder = Path(wanted.options.regressions or "cases/regressions")
    source = f"tokharness fuzz {wanted.targets[0]} --seed {wanted.options.seed}"
    # What an audit found has no families: its text is an example, and fails no check by itself. Nor
    # does the text of what fails because of what came before it.
    found = [
        one
        for target in report.targets
        for one in target.findings
        if one.families and one.cause.kind != "state"
    ]
    for path in regressions.write(folder, found, source=source):
        click.echo(terminal(f"wrote {path}"), err=True)


def _budget(max_time: str | None, max_examples: int | None) -> Budget:
    from tokharness.engine.fuzz import Budget

    if max_time is None:
        return Budget(None if max_examples else SECONDS, max_examples)
    return Budget(_seconds(max_time), max_examples)


def _seconds(word: str) -> float:
    from tokharness.errors import UsageError

    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([smh]?)", word.strip())
    if found is None or float(found[1]) == 0:
        raise UsageError(f"--max-time takes a time such as 90s, 5m or 1h, not {word!r}")
    return float(found[1]) * UNITS[found[2]]


def _database(word: str | None) -> Path | None:
    if word == "none":
        return None
    if word is not None:
        return Path(word)
    # Hypothesis's own place: what gives it differs from one release of it to another.
    return Path(os.environ.get("HYPOTHESIS_STORAGE_DIRECTORY") or ".hypothesis") / "examples"
