"""Chunks have more, or less, in common than was asked for.

Why it matters: text that two chunks have is indexed, embedded and paid for twice, and an overlap
that was asked for is what keeps a sentence at a cut whole.

Oracle: invariant: without an overlap no character is in two chunks; with an overlap of n, what a
chunk has in common with the chunk before it has at most the length n.

How it works: the chunks are placed in the text so that they have as little as possible in common.
With an overlap, only chunks that are at one place of the text are looked at, and what is in common
is counted alone. If the length of a chunk is not the sum of the lengths of its parts, as with most
tokenizers inside a word, nothing is said of it.

Verdicts: *bug* for too much; *risk* if no chunk of any text has an overlap that was asked for;
*risk* for a chunk that has only what the chunk before it has.

Example::

    TOK605 bug  overlap: without being asked

What to do: begin a chunk where the last one ends, less the overlap; count the overlap as the limit.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tokharness.chunking.splitting import Problem
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.chunking.placement import Span
    from tokharness.chunking.splitting import Splitting
    from tokharness.chunking.texts import Trial

CODE = "TOK605"
NAME = "overlap-differs"

ENOUGH = 20
"""Trials with several chunks after which an overlap that is never there is reported."""

TWICE = Cause(
    "overlap", (("how", "a chunk twice"),), message="a chunk is the chunk before it again"
)

IN_WORDS = Cause(
    "overlap", (("how", "in words"),), message="the overlap is a number of words, not of the unit"
)


def not_applicable(splitting: Splitting) -> str:
    """Return why the check has nothing to see, or ""."""
    return splitting.without_places()


def problems(splitting: Splitting, trial: Trial) -> Iterator[Problem]:
    """Yield what two chunks of a trial have in common that they should not."""
    spans = splitting.placed(trial)
    if spans is None:
        return
    text = trial.text
    if not trial.overlap and (twice := _twice(splitting, trial)):
        yield Problem(TWICE, {"in common": twice})
        return
    for (first, end), (start, after) in pairwise(spans):
        if start == after or start >= end:
            continue
        if trial.overlap and not (_is_once(text, first, end) and _is_once(text, start, after)):
            continue
        evidence = {"in common": text[start : min(end, after)]}
        if not trial.overlap:
            message = "text is in two chunks although no overlap was asked for"
            cause = Cause("overlap", (("how", "without being asked"),), message=message)
            yield Problem(cause, evidence)
        elif (start, after) == (first, end):
            yield Problem(TWICE, evidence)
        elif after <= end:
            message = "a chunk has nothing that the chunk before it does not have"
            yield Problem(Cause("chunk adds nothing", (), Verdict.RISK, message), evidence)
        elif _is_longer(
            splitting, trial, text[first:start], text[start:end], text[end:after]
        ) and not _fits_with_space(splitting, trial, start, end):
            message = "a chunk has more in common with the chunk before it than the overlap"
            too_long = Cause("overlap", (("how", "too long"),), message=message)
            is_words = splitting.overlaps_words and len(text[start:end].split()) <= trial.overlap
            yield Problem(IN_WORDS if is_words else too_long, evidence)


def _twice(splitting: Splitting, trial: Trial) -> str:
    """Return a chunk that is equal to the one before it, and without which none overlap, or ""."""
    texts = splitting.texts(trial)
    for at, (before, chunk) in enumerate(pairwise(texts), start=1):
        if chunk and chunk == before and _overlaps(splitting.placed(trial) or ()):
            spans = splitting.place(trial.text, [*texts[:at], *texts[at + 1 :]])
            if spans is not None and not _overlaps(spans):
                return chunk
    return ""


def _overlaps(spans: Sequence[Span]) -> bool:
    return any(start < end for (_, end), (start, _) in pairwise(spans))


def _is_once(text: str, start: int, end: int) -> bool:
    return text.find(text[start:end]) == start and text.find(text[start:end], start + 1) < 0


def _is_longer(splitting: Splitting, trial: Trial, before: str, common: str, rest: str) -> bool:
    """Whether what is in common is too long, alone and as a part of both chunks.

    Tokens of a text may be other ones, and more, than they are at the end of a longer text.
    """
    if splitting.is_too_small(trial):
        return False
    sizes = splitting.sizes([common, rest, common + rest, before, before + common])
    if any(size is None for size in sizes):
        return False
    size, of_rest, whole, of_before, of_first = (number or 0 for number in sizes)
    return min(size, of_first - of_before) > trial.overlap and size + of_rest == whole


def _fits_with_space(splitting: Splitting, trial: Trial, start: int, end: int) -> bool:
    """Whether what is in common is within the overlap with the white space that was stripped."""
    before = start - 1
    if before < 0 or not splitting.may_lose(trial.text[before]):
        return False
    size = splitting.size(trial.text[before:end])
    return size is None or size <= trial.overlap


def audit(splitting: Splitting) -> Iterator[Problem]:
    """Yield a problem if an overlap is asked for and never there."""
    asked = 0
    for trial in splitting.trials:
        spans = splitting.placed(trial) if trial.overlap and splitting.is_placed(trial) else None
        if spans is None or len(spans) < 2:
            continue
        asked += 1
        if _overlaps(spans):
            return
    if asked >= ENOUGH:
        message = f"no chunk of {asked} splits with an overlap has one"
        yield Problem(Cause("overlap", (("how", "never there"),), Verdict.RISK, message))
