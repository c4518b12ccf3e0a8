"""The options of commands that run targets, completed by the policy."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.config import Options
    from tokharness.policy import Policy

__all__ = [
    "RunRequest",
    "fail_on_option",
    "parse_jobs",
    "parse_run_options",
    "run_options",
    "shared_options",
    "split_commas",
]

MAX_JOBS = 256
MAX_SECONDS = 86_400
NAMING = {name: f"--{name}" for name in ("against", "select", "ignore", "family", "name")}
NAMING |= {name: f"--{name}" for name in ("config", "journal", "resume", "database")}
NAMING |= {"file": "--baseline"}
"""Parameters whose value is a name or several, with their options."""
MIN_MEMORY, MAX_MEMORY = 1 << 20, 1 << 50
SIZE_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}

Command = TypeVar("Command", bound="Callable[..., Any]")


def _within_a_day(_: click.Context, __: click.Parameter, seconds: float) -> float:
    if not seconds <= MAX_SECONDS:  # also for NaN, which click accepts
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
        callback=_within_a_day,
        default=5.0,
        show_default=True,
        metavar="SECONDS",
        help="Report a text that takes longer as a hang; long texts get more time.",
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
    """Add the option for the severity from which on a finding fails the command."""
    option = click.option(
        "--fail-on",
        type=click.Choice(["bug", "risk", "never"]),
        default=default,
        show_default=True,
        help=f"Exit 1 if {what} has this verdict or worse.",
    )
    return option(command)


def run_options(command: Command, *, without: str = "") -> Command:
    """Add the options of all commands that run targets, ``without`` one of them."""
    for name, option in reversed(_OPTIONS.items()):
        if name != without:
            command = option(command)
    return command


def shared_options(*names: str) -> Callable[[Command], Command]:
    """Add some of the shared options to a command, in this order."""

    def decorate(command: Command) -> Command:
        for name in reversed(names):
            command = _OPTIONS[name](command)
        return command

    return decorate


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What to run: the options of the command line, completed by the policy.

    ``explicit`` are the parameters given on the command line, not those from the policy. Without
    ``--measure`` or ``--no-measure``, the requested formats decide on ``measures``.
    """

    specs: tuple[str, ...]
    options: Options
    jobs: int
    policy: Policy
    explicit: frozenset[str]
    measures: bool = False


def parse_run_options(values: dict[str, Any], targets: tuple[str, ...]) -> RunRequest:
    """Parse the values of a command's options; the policy sets those not on the command line.

    Each of ``targets`` is a spec or a name from the policy. The policy's section of a target
    applies only if it is the only one.
    """
    from click.core import ParameterSource

    from tokharness.config import Options

    context = click.get_current_context()
    explicit = frozenset(
        name
        for name in values
        if context.get_parameter_source(name) not in (ParameterSource.DEFAULT, None)
    )
    _refuse_empty(values)
    policy = _policy(values["config"])
    if len(targets) == 1:
        policy = policy.of_target(targets[0])
    for key, value in policy.options.items():
        name = key.replace("-", "_")
        if name in values and name not in explicit:
            values[name] = value
    _announce_programs(policy, targets, explicit)
    options = Options(
        against=values["against"],
        select=split_commas(values["select"]),
        ignore=split_commas(values["ignore"]),
        families=split_commas(values["family"]),
        fail_on=values["fail_on"],
        profile=values["profile"],
        seed=values["seed"],
        examples=values["examples"],
        time_limit=float(values["time_limit"]),
        memory_limit=_parse_size(values["memory_limit"]),
        regressions=os.path.relpath(policy.regressions_folder),
        keep_going=values["keep_going"],
    )
    specs = tuple(policy.targets[name].spec if name in policy.targets else name for name in targets)
    jobs = parse_jobs(str(values["jobs"]))
    return RunRequest(specs, options, jobs, policy, explicit, _collects_metrics(values))


def _collects_metrics(values: dict[str, Any]) -> bool:
    from tokharness.plugins import formats

    if values.get("measure") is not None:
        return bool(values["measure"])
    names = {values["format_name"], *(value.partition("=")[0] for value in values["reports"])}
    return any(formats()[name].measures for name in names if name in formats())


def _policy(config: str | None) -> Policy:
    from tokharness.cli._programs import shown_path
    from tokharness.escaping import terminal
    from tokharness.policy import NO_POLICY
    from tokharness.policy.reading import find, find_unused, read

    if config == "none":
        return NO_POLICY
    if config is not None:
        return read(Path(config))
    policy = find(Path.cwd())
    if policy is NO_POLICY and (unused := find_unused(Path.cwd())):
        sentence = f"{shown_path(unused)} is not of this project and is not used: use --config"
        click.echo(terminal(f"tokharness: {sentence} {shown_path(unused)}"), err=True)
    return policy


def _announce_programs(policy: Policy, targets: tuple[str, ...], explicit: frozenset[str]) -> None:
    """Announce what the policy runs and the command line does not name."""
    from tokharness.cli._programs import announce_families, announce_target

    if policy.path is None:
        return
    for name in targets:
        if name in policy.targets:
            announce_target(policy.path, policy.targets[name].spec, f"the target {name}")
    if "against" not in explicit:
        announce_target(policy.path, policy.options.get("against"), "against")
    if "family" not in explicit:
        announce_families(policy.path, split_commas(policy.options.get("family", ())))


def _refuse_empty(values: dict[str, Any]) -> None:
    """Raise UsageError for an option whose value names nothing: the default would be used."""
    from tokharness.errors import UsageError

    for name, option in NAMING.items():
        value = values.get(name)
        for one in value if isinstance(value, tuple) else (value,):
            if one is not None and not one.strip(" ,"):
                raise UsageError(f"{option} has an empty value: name something, or omit it")


def split_commas(values: Sequence[str]) -> tuple[str, ...]:
    """Split the values of a repeatable option, each of which may have several between commas."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _parse_size(size: str) -> int:
    from tokharness.errors import UsageError

    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([KMGT]?)(?:i?B)?", size, re.IGNORECASE)
    limit = float(match[1]) * SIZE_UNITS[match[2].upper()] if match else 0
    if not MIN_MEMORY <= limit <= MAX_MEMORY:
        raise UsageError(
            f"--memory-limit takes a size such as 512M or 2G, from 1M to 1024T, not {size!r}"
        )
    return int(limit)


def parse_jobs(value: str) -> int:
    """Parse the number of processes of ``--jobs``."""
    from tokharness.engine.run.pool import automatic_jobs
    from tokharness.errors import UsageError

    if value == "auto":
        return automatic_jobs()
    if not value.isdecimal() or int(value) > MAX_JOBS:
        raise UsageError(f"--jobs takes a number from 0 to {MAX_JOBS}, or auto, not {value!r}")
    return int(value)
