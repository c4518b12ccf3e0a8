"""A chunk is empty.

Why it matters: an embedding model raises on an empty text, or returns the same vector for each,
which a search then finds for every question.

Oracle: invariant: each chunk has a character.

How it works: the chunks of each text are looked at. One empty chunk for the empty text is a fact.

Verdicts: *bug*; *by design* for the empty text.

Example::

    TOK607 bug  empty chunk

What to do: drop a chunk that is empty after it is stripped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.chunking.splitting import Problem
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.chunking.splitting import Splitting
    from tokharness.chunking.texts import Trial

CODE = "TOK607"
NAME = "empty-chunk"


def problems(splitting: Splitting, trial: Trial) -> Iterator[Problem]:
    """Yield a problem if a chunk of a trial is empty."""
    chunks = splitting.chunks(trial) or ()
    if not any(not chunk.text and not chunk.is_broken for chunk in chunks):
        return
    if not trial.text and len(chunks) == 1:
        message = "the empty text has one empty chunk"
        yield Problem(Cause("empty chunk of the empty text", (), Verdict.FACT, message))
    elif splitting.is_too_small(trial):
        message = "a chunk is empty if the limit is smaller than a character of the text"
        yield Problem(Cause("empty chunk with a smaller limit", (), Verdict.FACT, message))
    else:
        yield Problem(Cause("empty chunk", (), message="a chunk has no character"))
