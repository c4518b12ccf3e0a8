"""The next steps for a failing change: commands that show it, explain it, or accept only it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokharness.changes import CHANGED_FILE
from tokharness.config import RUN_LIMIT
from tokharness.engine.worker.reproduce import MAX_ARGUMENT, command_line
from tokharness.escaping import json_argument

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.changes import Change

OF_TOKENS = (CHANGED_FILE, "vocabulary", "special-tokens")
"""Kinds of changes whose details a comparison of the two vocabularies shows."""

STALE = "stale-acceptance"
SKIP = "new-skip"

NOT_ACCEPTED = (STALE, "check-not-run")
"""Kinds of changes that are not accepted: a stale acceptance is removed, a check is run."""


@dataclass(frozen=True, slots=True)
class GateCommand:
    """How the user runs the gate.

    Attributes:
        words: The target and the options that name the baseline, as words of a command line.
        target: The spec of the target.
        old: A spec that reads the old file, or the incumbent; "" if there is none.
        file: The file of the baseline; "" for a gate against an incumbent.

    """

    words: tuple[str, ...]
    target: str
    old: str = ""
    file: str = ""


def with_next_steps(changes: Sequence[Change], command: GateCommand) -> list[Change]:
    """Return the changes; each failing change has the commands to run next."""
    prunes = any(change.kind == STALE and change.fails for change in changes)
    return [
        replace(change, next=tuple(_steps(change, command, prunes=prunes)))
        if change.fails
        else change
        for change in changes
    ]


def _steps(change: Change, command: GateCommand, *, prunes: bool) -> Iterator[str]:
    yield from _show(change, command)
    if change.kind == SKIP and RUN_LIMIT in change.message:
        words = ["tokharness", "gate", *command.words, RUN_LIMIT, "0"]
        yield f"{command_line(words)}  # with as much time as it takes"
    if change.kind in OF_TOKENS and command.old:
        words = ["tokharness", "audit", command.old, command.target]
        yield f"{command_line(words)}  # everything that differs"
    elif change.kind == STALE and command.file:
        words = ["tokharness", "gate", *command.words, "--prune"]
        yield f"{command_line(words)}  # remove the acceptance"
    else:
        topic = change.finding.code if change.finding else change.kind
        yield f"{command_line(['tokharness', 'explain', topic])}  # what it means"
    if command.file and change.kind not in NOT_ACCEPTED:
        words = ["tokharness", "gate", *command.words, "--accept", change.fingerprint]
        words += ["--prune"] if prunes else []
        comment = "accept this change alone"
        if prunes:
            comment = "accept this change, and remove acceptances of what is gone"
        yield f"{command_line(words)} --reason WHY  # {comment}"


def _show(change: Change, command: GateCommand) -> Iterator[str]:
    """Yield the command that shows the smallest text on both sides."""
    finding = change.finding
    if finding is None and not change.examples:
        finding = next((one.finding for one in change.related if one.finding), None)
    if finding is not None:
        if finding.reproduce:
            yield f"{finding.reproduce}  # see it again"
        return
    if not change.examples:
        return
    argument = json_argument(change.examples[0].text)
    if len(argument) <= MAX_ARGUMENT:
        specs = command_line([command.old, command.target] if command.old else [command.target])
        sides = "on both sides" if command.old else "now"
        yield f"tokharness show --json {argument} {specs}  # the smallest text {sides}"
