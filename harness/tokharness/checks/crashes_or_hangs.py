r"""A text ends the tokenizer's process, hangs it, or takes its memory.

Oracle: invariant of one target. Every text has ids, in a time and with a memory that are near
proportional to its length.

Why it matters: an exception costs a request, and a crash costs a server. Native code that aborts,
overflows its stack or reads past a table takes down every request of the process; a regular
expression that backtracks for minutes on twenty characters is a denial of service that anyone can
type.

How it is found: targets run in processes of their own, each with a limit of time for a text and of
memory. The text a process had when it ended is asked about again, alone, in a fresh process with
all its time, and only what ends that one too is told. *crash* names the signal or the exit code;
*hang* is a text that took longer than ``--time-limit``, with an allowance for its length; *out of
memory* is one that took more than ``--memory-limit``; *nonsense* is an answer of a ``command:``
program that is none to what it was asked. The verdict is *bug*.

Example: a tokenizer whose table ends before the last plane::

    TOK104 bug  crash: encode, SIGSEGV   "\u{10ffff}"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.probes.raising_stage import raised_by
from tokharness.errors import TargetDeath
from tokharness.model import Batch, Cause

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

CODE = "TOK104"
NAME = "crashes-or-hangs"
COLUMNS = ("decoded",)

__all__ = ["CODE", "COLUMNS", "DEATHS", "NAME", "diagnose", "failing"]

DEATHS = (TargetDeath, MemoryError)
LONGEST_WORDS = 160


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows that ended the process, hung it, took its memory, or were answered with nonsense."""
    return sorted(row for row, error in batch.errors.items() if isinstance(error, DEATHS))


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return how this text ends the target's process, if it does."""
    raised = raised_by(text, subject)
    if raised is None:
        return []
    stage, error = raised
    if isinstance(error, MemoryError):
        message = f"{stage} takes more memory than the limit"
        return [Cause("out of memory", (("in", stage),), message=message)]
    # What else raises is another check's to tell.
    return [_cause(stage, error)] if isinstance(error, TargetDeath) else []


def _cause(stage: str, death: TargetDeath) -> Cause:
    words = f": {death.words[:LONGEST_WORDS]}" if death.words else ""
    if death.how == "time limit":
        return Cause("hang", (("in", stage),), message=f"{stage} takes longer than the time limit")
    if death.how == "nonsense":
        message = f"{stage} is not answered as it is asked{words}"
        return Cause("nonsense", (("in", stage),), message=message)
    message = f"{stage} ends the target's process with {death.how}{words}"
    return Cause("crash", (("in", stage), ("by", death.how)), message=message)
