r"""A text crashes the tokenizer's process, hangs it, or exhausts its memory; or it does not load.

Why it matters: an exception fails one request; a crash ends the server. Native code that aborts,
overflows its stack or reads past a table ends every request of the process. With a regular
expression that backtracks for minutes on twenty characters, any user can stop the service.

Oracle: invariant of one target. Every text has ids, and the time and memory they take are nearly
proportional to its length.

How it works: targets run in separate processes, with a time limit for each text and a memory limit.
If a process ends, the text that it was encoding or decoding runs again alone, in a fresh process
and with the full time limit. The text is reported only if it ends that process too. A target that
exists and does not load, because its library refuses the vocabulary, its factory raises, or its
program exits, is reported if its reference loads or if it is compared with a baseline. Without
these, it is an error of the command; so are the exit codes 2, 126 and 127, which a wrong command
line gives.

Verdicts: *bug*. The cause is a *crash*, with the signal or the exit code; a *hang*, longer than
``--time-limit`` plus an allowance for the length of the text; *out of memory*, more than
``--memory-limit``; *nonsense*, a response of a ``command:`` program that does not fit its request;
or *does not load*, with the name of the exception or the way the process ended. If every text above
some length, or every text with more than some number of one character, ends the process, the cause
names that limit, and such texts are left out from then on. A target on which crashes and hangs took
much time is not run further; texts and checks that are left out are skips.

Example: a tokenizer whose table ends before the last plane::

    TOK104 bug  crash: encode, SIGSEGV   "\u{10ffff}"

What to do: fix the native code or the pattern. Until then, do not encode untrusted text in a
process that serves other requests.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.diagnosis.probes.calls import raising_stage
from tokharness.errors import DEATHS, TargetDeath
from tokharness.model import Batch, Cause

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

CODE = "TOK104"
NAME = "crashes-or-hangs"
COLUMNS = ("decoded",)

__all__ = ["CODE", "COLUMNS", "NAME", "cause_of_death", "diagnose", "failing"]

LONGEST_WORDS = 160

MEMORY_LIMIT = "memory limit"
"""Reason of a death that :class:`TargetDeath` shares with a MemoryError."""


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows that crashed or hung the process, exhausted its memory, or got a nonsense response."""
    return sorted(row for row, error in batch.errors.items() if isinstance(error, DEATHS))


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return how this text crashes or hangs the target, if it does."""
    raised = raising_stage(text, subject)
    if raised is None:
        return []
    stage, error = raised
    if isinstance(error, MemoryError):
        cause = cause_of_death(stage, TargetDeath(MEMORY_LIMIT))
    elif isinstance(error, TargetDeath):
        cause = cause_of_death(stage, error)
    else:  # another check reports other exceptions
        return []
    if size := subject.target.fatal_size(text):
        having = "with " if size.startswith("more") else ""
        message = f"{cause.message}, as on every text {having}{size}"
        return [replace(cause, parameters=(*cause.parameters, ("on", size)), message=message)]
    return [cause]


def cause_of_death(stage: str, death: TargetDeath) -> Cause:
    """Return the cause for a text that ends the process in a stage: encode or decode."""
    words = f": {death.detail[:LONGEST_WORDS]}" if death.detail else ""
    if death.reason == "time limit":
        return Cause("hang", (("in", stage),), message=f"{stage} takes longer than the time limit")
    if death.reason == MEMORY_LIMIT:
        message = f"{stage} takes more memory than the limit"
        return Cause("out of memory", (("in", stage),), message=message)
    if death.reason == "nonsense":
        message = f"the response to {stage} does not fit the request{words}"
        return Cause("nonsense", (("in", stage),), message=message)
    message = f"{stage} ends the target's process with {death.reason}{words}"
    return Cause("crash", (("in", stage), ("by", death.reason)), message=message)
