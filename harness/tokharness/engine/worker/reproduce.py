"""Commands that reproduce findings, and the causes of the single text that a command has."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokharness.engine.run.selection import (
    CASES,
    CORPUS,
    EMBEDDINGS,
    SMALLEST_FAMILY,
    is_of_vocabulary,
)
from tokharness.engine.worker.batch_columns import observe
from tokharness.engine.worker.grouping import group_by_cause
from tokharness.escaping import json_argument, shell, visible
from tokharness.plugins.kinds import LINE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokharness.model import Batch, Cause, Failure
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


OTHERS = ("a", "", "word", " b")
"""Texts between two copies of the text, since some faults need other texts in the batch."""


@dataclass(frozen=True, slots=True)
class CausesOfText:
    """The causes that a check finds for a text alone, and other causes that may explain it."""

    causes: tuple[Cause, ...]
    others: tuple[Cause, ...] = ()

    def __contains__(self, cause: object) -> bool:
        return cause in self.causes or cause in self.others


def batches_with(text: str, subject: Subject) -> list[Batch]:
    """Return batches with two copies of a text, of an ordinary family and of special tokens.

    A check may require more of texts of the family of special tokens.
    """
    from tokharness.diagnosis.special.default_entry_point import FAMILY as SPECIAL_TOKENS

    batch = observe(subject, SMALLEST_FAMILY, [text, *OTHERS, text], isolate=True)
    return [batch, replace(batch, family=SPECIAL_TOKENS)]


def causes_of_text(
    check: Check, text: str, batches: Sequence[Batch], subject: Subject
) -> CausesOfText:
    """Return the causes of a text, which the check selects in one of the batches.

    The audit of a check examines more than its ``failing``, such as the stream of the first ids.
    Therefore the diagnosis of a check with an audit always runs.
    """
    from tokharness.engine.worker.diagnose_texts import explain_texts

    failing_rows = check.failing
    if failing_rows and any(_selects(failing_rows(batch, subject)) for batch in batches):
        explained = explain_texts(check, subject, {text: SMALLEST_FAMILY})
        causes = tuple(group.cause for group in group_by_cause(explained))
        candidates = dict.fromkeys(cause for one in explained for cause in one.causes)
        return CausesOfText(causes, tuple(c for c in candidates if c not in causes))
    if check.evidence is not None and check.audit is not None and check.diagnose is not None:
        return CausesOfText(tuple(check.diagnose(text, subject))[:1])
    return CausesOfText(())


def _selects(rows: Sequence[int]) -> bool:
    """Whether a copy of the text is among the rows that fail."""
    return not {0, 1 + len(OTHERS)}.isdisjoint(rows)
