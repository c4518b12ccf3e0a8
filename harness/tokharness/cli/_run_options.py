"""The options of commands that run targets, and what the policy says where the command does not."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.config import Options
    from tokharness.policy import Policy

__all__ = ["Asked", "asked", "fail_on_option", "jobs_of", "options_of", "run_options", "words"]

MOST_JOBS = 256
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}

Command = TypeVar("Command", bound="Callable[..., Any]")

_OPTIONS: dict[str, Callable[[Any], Any]] = {
    "--against": click.option(
        "--against",
        metavar="SPEC|none",
        help="Compare with this target instead of the automatic reference, or with none.",
    ),
    "--select": click.option(
        "--select",
        multiple=True,
        metavar="CODE",
        help="Run only these checks; see `tokharness list checks`.",
    ),
    "--ignore": click.option(
        "--ignore", multiple=True, metavar="CODE", help="Leave these checks out."
    ),
    "--family": click.option(
        "--family",
        multiple=True,
        metavar="NAME",
        help="Try only these case families; see `tokharness list families`.",
    ),
    "--profile": click.option(
        "--profile",
        type=click.Choice(["quick", "standard", "thorough"]),
        default="standard",
        show_default=True,
        help="How thorough to be; see `tokharness list profiles`.",
    ),
    "--seed": click.option(
        "--seed", type=int, default=0, show_default=True, help="Seed of the random cases."
    ),
    "--examples": click.option(
        "--examples",
        type=click.IntRange(min=0),
        show_default="of the profile",
        help="Random cases a family, beside its enumerated ones.",
    ),
    "--jobs": click.option(
        "--jobs",
        metavar="N|auto",
        default="auto",
        show_default=True,
        help="Worker processes; 0 checks in this process, unprotected, for a debugger.",
    ),
    "--time-limit": click.option(
        "--time-limit",
        type=click.FloatRange(min=0.1),
        default=5.0,
        show_default=True,
        metavar="SECONDS",
        help="Time for one text, beside an allowance for its length, before it is a hang.",
    ),
    "--memory-limit": click.option(
        "--memory-limit",
        metavar="SIZE",
        default="2G",
        show_default=True,
        help="Memory that the texts may take in a worker.",
    ),
    "--config": click.option(
        "--config",
        metavar="FILE|none",
        help="Take the policy from this file instead of the nearest pyproject.toml or "
        "tokharness.toml that has one.",
    ),
    "--measure": click.option(
        "--measure/--no-measure",
        default=None,
        help="Measure what a reader wants to know beside: languages, coverage, numbers, growth, "
        "speed. Done for a report in HTML, if not said otherwise.",
    ),
    "--format": click.option(
        "--format",
        "format_name",
        metavar="FORMAT",
        default="terminal",
        show_default=True,
        help="Format of the output; see `tokharness list formats`.",
    ),
    "--report": click.option(
        "--report",
        "reports",
        multiple=True,
        metavar="FORMAT=PATH",
        help="Write a report file, too.",
    ),
}


def fail_on_option(command: Command, *, default: str = "bug", what: str = "a finding") -> Command:
    """Add the option that says how bad a finding must be for the command to fail."""
    option = click.option(
        "--fail-on",
        type=click.Choice(["bug", "risk", "never"]),
        default=default,
        show_default=True,
        help=f"Exit with 1 when {what} is at least this bad.",
    )
    return option(command)


def run_options(command: Command, *, without: str = "") -> Command:
    """Add the options that all commands share which run targets, ``without`` one of them."""
    for name, option in reversed(_OPTIONS.items()):
        if name != without:
            command = option(command)
    return command


def options_of(*names: str) -> Callable[[Command], Command]:
    """Add some of these options to a command, in this order."""

    def added(command: Command) -> Command:
        for name in reversed(names):
            command = _OPTIONS[name](command)
        return command

    return added


@dataclass(frozen=True, slots=True)
class Asked:
    """What a command is asked to run, the policy taken in.

    ``given`` are the names of the options that the command itself has, not the policy. Whether
    targets are to be ``measured`` too is asked of the formats, where the command does not say it.
    """

    targets: tuple[str, ...]
    options: Options
    jobs: int
    policy: Policy
    given: frozenset[str]
    measured: bool = False


def asked(values: dict[str, Any], targets: tuple[str, ...]) -> Asked:
    """Read the values of a command's options; what the command does not say, the policy may.

    A target may be a name that the policy knows. Of one target its own part of the policy counts.
    """
    from click.core import ParameterSource

    from tokharness.config import Options

    context = click.get_current_context()
    given = frozenset(
        name
        for name in values
        if context.get_parameter_source(name) not in (ParameterSource.DEFAULT, None)
    )
    policy = _policy(values["config"])
    if len(targets) == 1:
        policy = policy.of_target(targets[0])
    for key, value in policy.options.items():
        name = key.replace("-", "_")
        if name in values and name not in given:
            values[name] = value
    options = Options(
        against=values["against"],
        select=words(values["select"]),
        ignore=words(values["ignore"]),
        families=words(values["family"]),
        fail_on=values["fail_on"],
        profile=values["profile"],
        seed=values["seed"],
        examples=values["examples"],
        time_limit=float(values["time_limit"]),
        memory_limit=_bytes(values["memory_limit"]),
        regressions=os.path.relpath(policy.regressions_folder),
    )
    specs = tuple(policy.targets[one].spec if one in policy.targets else one for one in targets)
    jobs = jobs_of(str(values["jobs"]))
    return Asked(specs, options, jobs, policy, given, _is_measured(values))


def _is_measured(values: dict[str, Any]) -> bool:
    from tokharness.plugins import formats

    if values.get("measure") is not None:
        return bool(values["measure"])
    names = {values["format_name"], *(word.partition("=")[0] for word in values["reports"])}
    return any(formats()[name].measures for name in names if name in formats())


def _policy(config: str | None) -> Policy:
    from tokharness.policy import NO_POLICY
    from tokharness.policy.reading import find, read

    if config == "none":
        return NO_POLICY
    return find(Path.cwd()) if config is None else read(Path(config))


def words(values: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Words of an option that may be given several times, and holds several between commas."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _bytes(size: str) -> int:
    from tokharness.errors import UsageError

    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([KMGT]?)(?:i?B)?", size, re.IGNORECASE)
    if found is None or float(found[1]) == 0:
        raise UsageError(f"--memory-limit takes a size such as 512M or 2G, not {size!r}")
    return int(float(found[1]) * UNITS[found[2].upper()])


def jobs_of(word: str) -> int:
    """Read the number of processes that ``--jobs`` asks for."""
    from tokharness.engine.run.pool import automatic_jobs
    from tokharness.errors import UsageError

    if word == "auto":
        return automatic_jobs()
    if not word.isdecimal() or int(word) > MOST_JOBS:
        raise UsageError(f"--jobs takes a number from 0 to {MOST_JOBS}, or auto, not {word!r}")
    return int(word)
