"""Announce what a file of a project makes a command run, before it runs.

What the command line names needs no announcement.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokharness import plugins
from tokharness.escaping import terminal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.cli._run_plan import RunPlan
    from tokharness.cli._run_request import RunRequest

__all__ = ["announce_families", "announce_journal", "announce_target", "shown_path"]


def announce_target(source: Path, spec: str | None, role: str) -> None:
    """Say on standard error that a file runs the program of a spec; vocabularies are mere data."""
    adapter = plugins.adapters().get((spec or "").partition(":")[0])
    if adapter is not None and adapter.runs_code:
        _announce(f"{shown_path(source)} runs {spec} as {role}")


def announce_families(source: Path, names: Iterable[str]) -> None:
    """Say on standard error which modules a file imports: a family may be named by its module."""
    for name in names:
        if name not in plugins.families():
            _announce(f"{shown_path(source)} imports {name} as a family")


def announce_journal(source: Path, plan: RunPlan, request: RunRequest) -> None:
    """Announce what a journal to resume runs in addition to the command line and the policy."""
    for spec in plan.specs:
        if spec not in request.specs:
            announce_target(source, spec, "a target")
    if plan.options.against != request.options.against:
        announce_target(source, plan.options.against, "against")
    announce_families(source, set(plan.options.families) - set(request.options.families))


def shown_path(path: Path) -> Path:
    """Return a path relative to the working directory if it is in it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _announce(sentence: str) -> None:
    click.echo(terminal(f"tokharness: {sentence}"), err=True)
