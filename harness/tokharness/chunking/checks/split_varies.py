"""The same text has other chunks when it is split again.

Why it matters: chunks are stored by the hash of their text. A splitter that keeps state from the
last document, or that depends on the order of a set, makes an index that cannot be updated.

Oracle: invariant: the same text, limit and overlap have the same chunks, after other texts, and in
a new process.

How it works: some texts are split again after all others, and in a new process.

Verdicts: *bug*.

Example::

    TOK612 bug  split varies: after other texts

What to do: keep no state between calls; sort what a set has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.chunking.chunker import ENDS, NOT_TRIED, Chunker
from tokharness.chunking.splitting import Problem
from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.chunking.splitting import Splitting

CODE = "TOK612"
NAME = "split-varies"

MOST = 60
"""Trials that are made again."""


def audit(splitting: Splitting) -> Iterator[Problem]:
    """Yield a problem for the first trial whose chunks differ the second time."""
    good = [one for one in splitting.trials if not splitting.answer(one).failure]
    some = good[:: max(len(good) // MOST, 1)]
    with Chunker(splitting.chunker.spec) as fresh:
        for where, chunker in (
            ("after other texts", splitting.chunker),
            ("in a new process", fresh),
        ):
            for trial in some:
                first, second = splitting.answer(trial), chunker.again("split", *trial.item)
                if first == second or second.failure in (*ENDS, NOT_TRIED):
                    continue
                message = f"a text has other chunks when it is split again {where}"
                evidence = {
                    "limit": trial.limit,
                    "overlap": trial.overlap,
                    "first": splitting.texts(trial)[:20],
                    "again": [one.text for one in second.value or ()][:20] or second.message,
                }
                cause = Cause("split varies", (("when", where),), message=message)
                yield Problem(cause, evidence, trial.text)
                return
