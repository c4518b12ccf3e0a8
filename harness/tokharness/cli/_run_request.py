"""What to run: the options of the command line, completed by the policy."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokharness.cli._option_values import parse_jobs, parse_size, refuse_empty, split_commas

if TYPE_CHECKING:
    from tokharness.config import Options
    from tokharness.parallel.model import ParallelText
    from tokharness.policy import Policy

__all__ = ["RunRequest", "parse_run_options"]


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What to run: the options of the command line, completed by the policy.

    ``explicit`` are the parameters given on the command line, not those from the policy. Without
    ``--measure`` or ``--no-measure``, the requested formats decide on ``measures``; a parallel text
    is measured too. ``names`` are the targets' names in the policy, or else their specs. What the
    user's cache knows of references is used if ``cached``.
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
    target applies only if it is the only one.
    """
    from click.core import ParameterSource

    from tokharness.cli._target_words import spec_of_against, spec_of_target
    from tokharness.config import Options

    context = click.get_current_context()
    explicit = frozenset(
        name
        for name in values
        if context.get_parameter_source(name) not in (ParameterSource.DEFAULT, None)
    )
    refuse_empty(values)
    policy = _policy(values["config"])
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
        from tokharness.cli._parallel_text import read_parallel
        from tokharness.errors import UsageError

        if values["measure"] is False:
            raise UsageError("--parallel is for metrics: omit --no-measure")
        return read_parallel(values["parallel"])

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
