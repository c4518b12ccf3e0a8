"""The options that several commands share, as click declares them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from tokharness.engine.option_values import MAX_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

Command = TypeVar("Command", bound="Callable[..., Any]")


def within_a_day(_: click.Context, __: click.Parameter, seconds: float | None) -> float | None:
    """Return the value of an option in seconds, as a callback of click."""
    if seconds is not None and not seconds <= MAX_SECONDS:  # also for NaN, which click accepts
        raise click.BadParameter(f"{seconds} is not in the range 0.1<=x<={MAX_SECONDS}.")
    return seconds


_OPTIONS: dict[str, Callable[[Any], Any]] = {
    "--against": click.option(
        "--against",
        metavar="SPEC|none",
        help="Compare with this target instead of the automatic reference; none: do not compare.",
    ),
    "--select": click.option(
        "--select",
        multiple=True,
        metavar="CODE",
        help="Run only these checks; see `tokharness list checks`.",
    ),
    "--ignore": click.option("--ignore", multiple=True, metavar="CODE", help="Skip these checks."),
    "--family": click.option(
        "--family",
        multiple=True,
        metavar="NAME",
        help="Run only these case families; see `tokharness list families`.",
    ),
    "--profile": click.option(
        "--profile",
        type=click.Choice(["quick", "standard", "thorough"]),
        default="standard",
        show_default=True,
        help="How thorough the run is; see `tokharness list profiles`.",
    ),
    "--seed": click.option(
        "--seed", type=int, default=0, show_default=True, help="Seed of the random cases."
    ),
    "--examples": click.option(
        "--examples",
        type=click.IntRange(min=0),
        show_default="set by the profile",
        help="Random cases per family, in addition to the enumerated cases.",
    ),
    "--jobs": click.option(
        "--jobs",
        metavar="N|auto",
        default="auto",
        show_default=True,
        help="Number of worker processes; 0 runs targets in this process, without protection.",
    ),
    "--time-limit": click.option(
        "--time-limit",
        type=click.FloatRange(min=0.1),
        callback=within_a_day,
        default=5.0,
        show_default=True,
        metavar="SECONDS",
        help="Report a text that takes longer as a hang; long texts get more time, and on a busy "
        "machine all texts, up to four times as much.",
    ),
    "--load-limit": click.option(
        "--load-limit",
        type=click.FloatRange(min=0.1),
        callback=within_a_day,
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="Give up a target that takes longer to load; a busy machine gives it more time.",
    ),
    "--run-limit": click.option(
        "--run-limit",
        type=click.FloatRange(min=0),
        callback=within_a_day,
        metavar="SECONDS",
        help="Limit the processor time of the run, on a usual machine, and leave out the rest; "
        "0: no limit. Default: 90 in the quick profile, no limit in others.",
    ),
    "--memory-limit": click.option(
        "--memory-limit",
        metavar="SIZE",
        default="2G",
        show_default=True,
        help="Memory that a worker may use for texts.",
    ),
    "--keep-going": click.option(
        "--keep-going",
        is_flag=True,
        help="Run everything even if the target hangs or dies on each of the first texts.",
    ),
    "--cache": click.option(
        "--cache/--no-cache",
        "cached",
        default=True,
        show_default=True,
        help="Do not compare results again that an earlier run has compared with the same "
        "reference: the ids are known.",
    ),
    "--config": click.option(
        "--config",
        metavar="FILE|none",
        help="Read the policy from this file instead of the nearest pyproject.toml or "
        "tokharness.toml that has one; none: read no policy.",
    ),
    "--measure": click.option(
        "--measure/--no-measure",
        default=None,
        help="Also collect metrics for the report: languages, coverage, numbers, growth, speed. "
        "Default for an HTML report.",
    ),
    "--parallel": click.option(
        "--parallel",
        metavar="PATH",
        help="Also measure the cost of languages in this parallel text: a folder with a file for "
        "each language, such as FLORES-200, or a .tsv, .csv or .jsonl with a column for each.",
    ),
    "--format": click.option(
        "--format",
        "format_name",
        metavar="FORMAT",
        default="terminal",
        show_default=True,
        help="Output format; see `tokharness list formats`.",
    ),
    "--report": click.option(
        "--report",
        "reports",
        multiple=True,
        metavar="FORMAT=PATH",
        help="Also write a report to this file; repeatable.",
    ),
}


def fail_on_option(command: Command, *, default: str = "bug", what: str = "a finding") -> Command:
    """Add the option for the least severity with which a finding fails the command."""
    option = click.option(
        "--fail-on",
        type=click.Choice(["bug", "risk", "never"]),
        default=default,
        show_default=True,
        help=f"Exit 1 if {what} has this verdict or worse.",
    )
    of_library = click.option(
        "--fail-on-library/--no-fail-on-library",
        default=False,
        help="Also if the library has the finding for any file: small healthy files show it too.",
    )
    return option(of_library(command))


def engine_option(what: str) -> Callable[[Command], Command]:
    """Return the option ``--engine`` of a command; ``what`` is run by the engine."""
    return click.option(
        "--engine",
        type=click.Choice(["local", "ray"]),
        default="local",
        show_default=True,
        help=f"What runs {what}: processes of this machine, or Ray Data, on the cluster of "
        "RAY_ADDRESS or on this machine.",
    )


def actors_of(jobs: str) -> int | None:
    """Return the most actors of Ray for a value of ``--jobs``; None for one a processor."""
    from tokharness.engine.option_values import parse_jobs

    number = parse_jobs(jobs, "--jobs")
    return None if jobs == "auto" else max(number, 1)


def run_options(command: Command, *, without: Collection[str] = ()) -> Command:
    """Add the options of all commands that run targets, ``without`` some of them."""
    for name, option in reversed(_OPTIONS.items()):
        if name not in without:
            command = option(command)
    return command


def shared_options(*names: str) -> Callable[[Command], Command]:
    """Add some of the shared options to a command, in this order."""

    def decorate(command: Command) -> Command:
        for name in reversed(names):
            command = _OPTIONS[name](command)
        return command

    return decorate
