"""Commands that reproduce findings."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from tokharness.engine.run.selection import (
    CASES,
    CORPUS,
    EMBEDDINGS,
    SMALLEST_FAMILY,
    is_of_vocabulary,
)
from tokharness.escaping import json_argument, shell, visible
from tokharness.plugins.kinds import LINE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.model import Failure
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

MAX_ARGUMENT = 4000
"""Most characters of a text that a command line accepts on every system."""


def command_line(words: Iterable[str]) -> str:
    """Return words as a command for a POSIX shell, in one line of visible text."""
    return " ".join(map(_quote, words))


def _quote(word: str) -> str:
    quoted = shlex.quote(word)
    if LINE.fullmatch(quoted):
        return quoted
    try:
        return shell(word.rstrip("\n"))
    except ValueError:  # no argument can hold it
        return shlex.quote(visible(word))


def command_for_text(check: Check, subject: Subject, text: str, families: tuple[str, ...]) -> str:
    """Return a command that shows the failure of a text; of its families if it is too long."""
    spec, argument = subject.target.spec, json_argument(text)
    if len(argument) > MAX_ARGUMENT:
        return command_for_families(check, subject, families[:1])
    specs = [spec] if subject.reference is None else [spec, subject.reference.spec]
    words = command_line([*specs, "--select", check.code])
    return f"tokharness show --json {argument} {words}"


def command_for_families(check: Check, subject: Subject, families: tuple[str, ...]) -> str:
    """Return a command that runs families again, whose texts together show a failure."""
    words = ["tokharness", "check", subject.target.spec, "--select", check.code]
    words += ["--family", ",".join(families)]
    if subject.reference is not None:
        words += ["--against", subject.reference.spec]
    return command_line(words)


def command_for_audit(check: Check, subject: Subject, failure: Failure) -> str:
    """Return a command that runs an audit again."""
    spec, selected = subject.target.spec, ["--select", check.code]
    if is_of_vocabulary(check):
        words = ["tokharness", "audit", spec, *selected, *_files(check, subject)]
    else:
        words = ["tokharness", "check", spec, *selected]
        # An audit needs no text, but a run needs a family; an audit of cases needs all of them.
        words += [] if CASES in check.requires else ["--family", SMALLEST_FAMILY]
    # Audits of other checks compare with the reference only if the cause says so.
    needed = {name.partition(".")[0] for name in check.requires}
    compared = "reference" in needed or "the reference" in failure.cause.message
    if subject.reference is not None and compared:
        words += ["--against", subject.reference.spec]
    return command_line(words)


def _files(check: Check, subject: Subject) -> list[str]:
    """Return the options for the files of the user that a check reads."""
    files = {CORPUS: subject.corpus, EMBEDDINGS: subject.embeddings}
    given = [(name, path) for name, path in files.items() if path and name in check.requires]
    return [word for name, path in given for word in (f"--{name}", path)]
