"""The same text has other chunks when it is split again.

Why it matters: chunks are stored by the hash of their text. A splitter that keeps state from the
last document, or that depends on the order of a set, makes an index that cannot be updated.

Oracle: invariant: the same text, limit and overlap have the same chunks, after other texts, in a
new process, and with another seed of Python's hashes.

How it works: some texts are split again after all others, in a new process, in which other texts
were split before them, and in processes with other values of PYTHONHASHSEED. If two splits in a row
differ, the cause is *each time*.

Verdicts: *bug*; *risk* if the chunker cannot be loaded a second time, so that its chunks in new
processes are not known.

Example::

    TOK612 bug  split varies: after other texts

What to do: keep no state between calls; sort what a set has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.chunking.chunker import ENDS, NOT_TRIED, Chunker
from tokharness.chunking.splitting import Problem
from tokharness.errors import TargetError
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.chunking.chunker import Answer
    from tokharness.chunking.splitting import Splitting
    from tokharness.chunking.texts import Trial

CODE = "TOK612"
NAME = "split-varies"

MOST = 60
"""Trials that are made again."""

IN_A_ROW = 10
"""Splits of a text with no other text between them, all behind one of the same text."""

NEW_PROCESSES = (
    (0, "in a new process", "in a new process, in which other texts were split before it"),
    (1, "with another hash seed", "in a process with another PYTHONHASHSEED"),
    (2, "with another hash seed", "in a process with another PYTHONHASHSEED"),
)
"""The seed of Python's hashes, the name of a difference, and its words; other texts have seed 0."""


def audit(splitting: Splitting) -> Iterator[Problem]:
    """Yield a problem for the shortest text whose chunks differ when it is split again."""
    good = [one for one in splitting.trials if not splitting.answer(one).failure]
    some = good[:: max(len(good) // MOST, 1)]
    if found := _varying(splitting, splitting.chunker, some):
        trial, second = found
        where = words = "after other texts"
        _, *rows = [splitting.chunker.again("split", *trial.item) for _ in range(IN_A_ROW + 1)]
        if any(one != rows[0] for one in rows):
            where, words = "each time", "each time"
        yield _problem(splitting, trial, second, where, words)
        return
    for seed, where, words in NEW_PROCESSES:
        if splitting.chunker.is_interrupted:
            return
        try:
            with Chunker(splitting.chunker.spec, hash_seed=seed) as fresh:
                found = _varying(splitting, fresh, some)
            if fresh.is_interrupted:
                raise KeyboardInterrupt
        except TargetError as error:
            message = "the chunker cannot be loaded a second time: new processes were not compared"
            cause = Cause("new processes not compared", (), Verdict.RISK, message)
            yield Problem(cause, {"raised": str(error)[:500]})
            return
        if found:
            yield _problem(splitting, *found, where, words)
            return


def _varying(
    splitting: Splitting, chunker: Chunker, trials: Sequence[Trial]
) -> tuple[Trial, Answer] | None:
    """Return the trial with the shortest text that a chunker now splits otherwise, and how.

    Each is split twice in a row, as every second split may be another one, and in the opposite
    order, so that in a new process other texts come before it.
    """
    twice = [trial for trial in reversed(trials) for _ in range(2)]
    seconds = [(trial, chunker.again("split", *trial.item)) for trial in twice]
    varying = [
        (trial, second)
        for trial, second in seconds
        if second != splitting.answer(trial) and second.failure not in (*ENDS, NOT_TRIED)
    ]
    return min(varying, key=lambda row: len(row[0].text), default=None)


def _problem(splitting: Splitting, trial: Trial, second: Answer, where: str, words: str) -> Problem:
    evidence = {
        "limit": trial.limit,
        "overlap": trial.overlap,
        "first": splitting.texts(trial)[:20],
        "again": [one.text for one in second.value or ()][:20] or second.message,
    }
    message = f"a text has other chunks when it is split again {words}"
    if where == "each time":
        message = "a text has other chunks each time it is split"
    return Problem(Cause("split varies", (("when", where),), message=message), evidence, trial.text)
