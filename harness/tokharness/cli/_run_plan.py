"""The targets, options and journal of a run, from the command line or from a journal to resume."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokharness.errors import UsageError
from tokharness.escaping import terminal
from tokharness.plugins.bare_paths import spec_of
from tokharness.results.journal import Journal, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokharness.config import Options
    from tokharness.engine.events import Event
    from tokharness.policy import Policy

# The specs of the targets that a command line or a policy names.
#
# Each becomes a whole spec here, before anything else uses it: a name of the policy, a spec, or a
# path whose content says what loads it (:mod:`tokharness.plugins.bare_paths`).


def spec_of_target(word: str, policy: Policy) -> str:
    """Return the spec of a target; a name of the policy comes before a path.

    Raises:
        UsageError: the word is neither a name nor a spec nor a path that is recognized.

    """
    if word in policy.targets:
        return _spec_in_policy(policy.targets[word].spec, policy, f"targets.{word}.spec")
    return spec_of(word, before=_command(), names=policy.targets)


def spec_of_against(word: str | None, policy: Policy, explicit: Iterable[str]) -> str | None:
    """Return the spec of ``--against``, which may be missing or come from the policy."""
    if word is None or word == "none":
        return word
    if "against" in explicit:
        return spec_of(word, before="--against")
    return _spec_in_policy(word, policy, "against")


def specs_of_words(words: Iterable[str], *, after: str = "") -> tuple[str, ...]:
    """Return the specs of targets of a command without a policy, ``after`` other arguments."""
    return tuple(spec_of(word, before=f"{_command()}{after}") for word in words)


def _spec_in_policy(word: str, policy: Policy, key: str) -> str:
    try:
        return spec_of(word)
    except UsageError as error:
        raise UsageError(f"{policy.path}: {key}: {error}") from error


def _command() -> str:
    return click.get_current_context().command_path


@dataclass(frozen=True, slots=True)
class RunPlan:
    """A run: its specs and options, its journal, and the events that the journal already has."""

    specs: tuple[str, ...]
    options: Options
    journal: Journal | None = None
    before: Sequence[Event] = ()


def plan_run(
    journal: str | None, resume: str | None, specs: tuple[str, ...], options: Options
) -> RunPlan:
    """Plan a run: open the journal that ``--journal`` or ``--resume`` names, and read its events.

    Raises:
        UsageError: both options are given, or the journal belongs to another run.

    """
    if journal is not None and resume is not None:
        raise UsageError("--journal and --resume exclude each other: use only --resume to continue")
    planned = specs or ("reference",)
    if resume is None:
        if journal is None:
            return RunPlan(planned, options)
        return RunPlan(planned, options, Journal.create(Path(journal), planned, options))
    path = Path(resume)
    if not path.exists() and specs:
        shown = terminal(str(path))
        click.echo(f"the journal {shown} does not exist: starting a new run", err=True)
        return RunPlan(planned, options, Journal.create(path, planned, options))
    written = read(path, options.families)
    _refuse_another_run(path, written.specs, specs, written.options, options)
    # --fail-on only decides the exit code, so a resumed run may change it.
    merged = replace(
        written.options, fail_on=options.fail_on, fail_on_library=options.fail_on_library
    )
    if written.damaged_line:
        click.echo(
            f"line {written.damaged_line} of the journal {terminal(str(path))} is damaged: "
            "what it and the lines after it recorded is run again",
            err=True,
        )
    return RunPlan(written.specs, merged, Journal.resume(path, written), written.events)


def _refuse_another_run(
    path: Path,
    journal_specs: tuple[str, ...],
    specs: tuple[str, ...],
    journal_options: Options,
    options: Options,
) -> None:
    """Raise UsageError if the command line names other targets or options than the journal."""
    if specs and specs != journal_specs:
        raise UsageError(
            f"the journal {path} is of {' '.join(journal_specs)}, not of {' '.join(specs)}"
        )
    context = click.get_current_context()
    names = {"family": "families"}
    for name in context.params:
        field = names.get(name, name)
        source = context.get_parameter_source(name)
        explicit = source not in (click.core.ParameterSource.DEFAULT, None)
        if not explicit or field in ("fail_on", "fail_on_library") or not hasattr(options, field):
            continue
        before, now = getattr(journal_options, field), getattr(options, field)
        if before != now:
            option = "--" + name.replace("_", "-")
            raise UsageError(f"the journal {path} has {option} {_shown(before)}, not {_shown(now)}")


def _shown(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
