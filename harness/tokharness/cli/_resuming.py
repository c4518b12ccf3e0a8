"""What a run is of: the words of the command, or a journal, and what the journal has already."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokharness.errors import UsageError
from tokharness.results.journal import Journal, read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.config import Options
    from tokharness.engine.events import Event

__all__ = ["Plan", "journal_of"]


@dataclass(frozen=True, slots=True)
class Plan:
    """The targets and options of a run, its journal, and the events of before."""

    targets: tuple[str, ...]
    options: Options
    journal: Journal | None = None
    before: Sequence[Event] = ()


def journal_of(
    journal: str | None, resume: str | None, targets: tuple[str, ...], options: Options
) -> Plan:
    """Open the journal, if there is to be one, and read what it has."""
    if journal is not None and resume is not None:
        raise UsageError("--journal starts a run and --resume completes one: give one of them")
    wanted = targets or ("reference",)
    if resume is None:
        if journal is None:
            return Plan(wanted, options)
        return Plan(wanted, options, Journal.begin(Path(journal), wanted, options))
    path = Path(resume)
    if not path.exists() and targets:
        click.echo(f"there is no journal {path} yet: the run starts anew", err=True)
        return Plan(wanted, options, Journal.begin(path, wanted, options))
    written = read(path)
    _same_run(path, written.targets, targets, written.options, options)
    # How bad a finding has to be is asked when all is known.
    merged = replace(written.options, fail_on=options.fail_on)
    return Plan(written.targets, merged, Journal.go_on(path), written.events)


def _same_run(
    path: Path,
    targets: tuple[str, ...],
    asked: tuple[str, ...],
    options: Options,
    asked_options: Options,
) -> None:
    """Refuse words of the command that ask for another run than the journal's."""
    if asked and asked != targets:
        raise UsageError(f"the journal {path} is of {' '.join(targets)}, not of {' '.join(asked)}")
    context = click.get_current_context()
    names = {"family": "families"}
    for name in context.params:
        field = names.get(name, name)
        source = context.get_parameter_source(name)
        given = source not in (click.core.ParameterSource.DEFAULT, None)
        if not given or field == "fail_on" or not hasattr(options, field):
            continue
        before, now = getattr(options, field), getattr(asked_options, field)
        if before != now:
            option = "--" + name.replace("_", "-")
            raise UsageError(f"the journal {path} has {option} {_said(before)}, not {_said(now)}")


def _said(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
