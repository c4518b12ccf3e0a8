"""What to run: the values of options, a parallel text, and the settings of a policy."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokharness import plugins
from tokharness.engine import option_values
from tokharness.engine.option_values import split_commas
from tokharness.escaping import terminal
from tokharness.formats._wording import pluralize
from tokharness.home import expand_user
from tokharness.parallel.reading import read as read_parallel_text
from tokharness.results.untrusted import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.cli._run import RunPlan
    from tokharness.config import Options
    from tokharness.parallel.model import ParallelText
    from tokharness.policy import Policy

__all__ = [
    "RunRequest",
    "announce_families",
    "announce_target",
    "options_of_checks",
    "parse_jobs",
    "parse_run_options",
    "parse_size",
    "read_parallel",
    "refuse_empty",
    "refuse_unnamed",
    "refuse_unnamed_of_journal",
    "shown_path",
    "split_commas",
]


# Values of options that click itself does not parse or refuse.

NAMING = {name: f"--{name}" for name in ("against", "select", "ignore", "family", "name")}
NAMING |= {name: f"--{name}" for name in ("config", "journal", "resume", "database")}
NAMING |= {"file": "--baseline", "renderers": "--renderer"}
"""Parameters whose value is a name or several names, with their options."""


def refuse_empty(values: dict[str, Any]) -> None:
    """Raise UsageError for an option with an empty value, which would mean the default."""
    from tokharness.errors import UsageError

    for name, option in NAMING.items():
        value = values.get(name)
        for one in value if isinstance(value, tuple) else (value,):
            if one is not None and not one.strip(" ,"):
                raise UsageError(f"{option} has an empty value: name something, or omit it")


def parse_size(size: str) -> int:
    """Parse the number of bytes of ``--memory-limit``."""
    return option_values.parse_size(size, "--memory-limit")


def parse_jobs(value: str) -> int:
    """Parse the number of processes of ``--jobs``."""
    return option_values.parse_jobs(value, "--jobs")


# The parallel text that ``--parallel`` names, read once and before any target runs.

MAX_NAMED = 3
"""Most omitted languages that are named, with the reason."""


def read_parallel(path: str) -> ParallelText:
    """Read a parallel text, and print which languages are left out.

    Raises UsageError if it cannot be read.
    """
    parallel = read_parallel_text(Path(path))
    left_out = parallel.left_out
    if left_out:
        named = "; ".join(f"{code}, since {reason}" for code, reason in left_out[:MAX_NAMED])
        more = f"; and {len(left_out) - MAX_NAMED} more" if len(left_out) > MAX_NAMED else ""
        count = pluralize(len(left_out), "language")
        sentence = f"tokharness: of the parallel text {path}, {count} left out: {named}{more}"
        click.echo(terminal(sentence), err=True)
    return parallel


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What to run: the options of the command line, completed by the policy.

    ``explicit`` has the parameters from the command line, without parameters from the policy.
    Without ``--measure`` or ``--no-measure``, the requested formats decide on ``measures``; a
    parallel text is measured too. ``names`` are the targets' names in the policy, or else their
    specs. If ``cached``, the user's cache of references is used.
    """

    specs: tuple[str, ...]
    options: Options
    jobs: int
    policy: Policy
    explicit: frozenset[str]
    measures: bool | ParallelText = False
    names: tuple[str, ...] = ()
    cached: bool = True


def parse_run_options(values: dict[str, Any], targets: tuple[str, ...]) -> RunRequest:
    """Parse the values of a command's options; the policy sets those not on the command line.

    Each of ``targets`` is a name from the policy, a spec, or a path. The policy's section of a
    target applies only to a run of a single target.
    """
    from click.core import ParameterSource

    from tokharness.cli._run import spec_of_against, spec_of_target
    from tokharness.config import Options

    context = click.get_current_context()
    explicit = frozenset(
        name
        for name in values
        if context.get_parameter_source(name) not in (ParameterSource.DEFAULT, None)
    )
    refuse_empty(values)
    policy = read_policy(values["config"])
    if len(targets) == 1:
        policy = policy.of_target(targets[0])
    for key, value in policy.options.items():
        name = key.replace("-", "_")
        if name in values and name not in explicit:
            values[name] = value
    specs = tuple(spec_of_target(name, policy) for name in targets)
    values["against"] = spec_of_against(values["against"], policy, explicit)
    _announce_programs(policy, targets, explicit)
    options = Options(
        against=values["against"],
        select=split_commas(values["select"]),
        ignore=split_commas(values["ignore"]),
        families=split_commas(values["family"]),
        fail_on=values["fail_on"],
        fail_on_library=values.get("fail_on_library", False),
        profile=values["profile"],
        seed=values["seed"],
        examples=values["examples"],
        time_limit=float(values["time_limit"]),
        memory_limit=parse_size(values["memory_limit"]),
        load_limit=float(values["load_limit"]),
        run_limit=None if values["run_limit"] is None else float(values["run_limit"]),
        regressions=os.path.relpath(policy.regressions_folder),
        keep_going=values["keep_going"],
        corpus=None if policy.corpus_path is None else os.path.relpath(policy.corpus_path),
    )
    names = tuple(
        name if name in policy.targets else spec for name, spec in zip(targets, specs, strict=True)
    )
    jobs = parse_jobs(str(values["jobs"]))
    return RunRequest(
        specs=specs,
        options=options,
        jobs=jobs,
        policy=policy,
        explicit=explicit,
        measures=_collects_metrics(values),
        names=names,
        cached=values.get("cached", True),
    )


def _collects_metrics(values: dict[str, Any]) -> bool | ParallelText:
    from tokharness.plugins import formats

    if values.get("parallel") is not None:
        from tokharness.errors import UsageError

        if values["measure"] is False:
            raise UsageError("--parallel is for metrics: omit --no-measure")
        return read_parallel(values["parallel"])

    if values.get("measure") is not None:
        return bool(values["measure"])
    names = {values["format_name"], *(value.partition("=")[0] for value in values["reports"])}
    return any(formats()[name].measures for name in names if name in formats())


def read_policy(config: str | None) -> Policy:
    """Return the policy of `--config`, or the nearest one of the project."""
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
    """Announce programs that the policy runs and that the command line does not name."""
    if policy.path is None:
        return
    for name in targets:
        if name in policy.targets:
            announce_target(policy.path, policy.targets[name].spec, f"the target {name}")
    if "against" not in explicit:
        announce_target(policy.path, policy.options.get("against"), "against")
    if "family" not in explicit:
        announce_families(policy.path, split_commas(policy.options.get("family", ())))


# Announce the programs that a policy makes a command run, before they run.
#
# A program that the command line names needs no announcement. A baseline or a journal is data, and
# perhaps a stranger's: what it names and the user does not is refused.


def announce_target(source: Path, spec: str | None, role: str) -> None:
    """Say on standard error that a file runs the program of a spec; vocabularies are mere data."""
    if spec and plugins.has_known_scheme(spec) and plugins.runs_code(spec):
        _announce(f"{shown_path(source)} runs {spec} as {role}")


def announce_families(source: Path, names: Iterable[str]) -> None:
    """Say on standard error which modules a file imports: a family may be named by its module."""
    for name in names:
        if name not in plugins.families():
            _announce(f"{shown_path(source)} imports {name} as a family")


def refuse_unnamed(
    source: Path,
    targets: Iterable[str],
    against: Iterable[str | None],
    families: Iterable[str] = (),
) -> None:
    """Refuse what a file of data names, the user does not, and is more than a file or known name.

    Raises:
        UsageError: it runs code, or is installed or downloaded.

    """
    reads = [(spec, "as a target, before the options") for spec in targets]
    reads += [(spec, "with --against") for spec in against if spec not in (None, "none")]
    unnamed = [(spec, how) for spec, how in reads if not is_data(spec)]
    known = plugins.families()
    unnamed += [(name, "with --family") for name in families if name not in known]
    if unnamed:
        from tokharness.errors import UsageError

        name, how = unnamed[0]
        raise UsageError(
            f"{shown_path(source)} names {shortened(name)}, which may run code, or is no file here "
            "and may be downloaded: "
            f"to trust it, name it yourself, {how}"
        )


def is_data(spec: str) -> bool:
    """Whether loading a target runs no code that the spec names, and downloads no repository."""
    scheme, _, rest = spec.partition(":")
    if plugins.runs_code(spec) or plugins.release_in(spec) is not None:
        return False
    adapter = plugins.adapters()[scheme]
    return rest in {"", *adapter.names(), *adapter.aliases()} or expand_user(rest).exists()


def refuse_unnamed_of_journal(source: Path, plan: RunPlan, request: RunRequest) -> None:
    """Refuse what a journal to resume names, and command line and policy do not.

    Its families were refused when it was read.
    """
    written, own = plan.options, request.options
    against = {written.against, written.reference} - {own.against, own.reference}
    targets = [spec for spec in plan.specs if spec not in request.specs]
    refuse_unnamed(source, targets, against)


def shown_path(path: Path) -> Path:
    """Return a path relative to the working directory if it is in it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _announce(sentence: str) -> None:
    click.echo(terminal(f"tokharness: {sentence}"), err=True)


def options_of_checks(values: dict[str, Any]) -> Options:
    """Return the options of a command that runs checks of its own: which ones, and what fails."""
    from tokharness.config import Options

    return Options(
        select=split_commas(values["select"]),
        ignore=split_commas(values["ignore"]),
        fail_on=values["fail_on"],
        fail_on_library=values["fail_on_library"],
    )
