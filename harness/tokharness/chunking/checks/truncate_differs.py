"""A truncated text is no beginning of the text, or longer than the limit.

Why it matters: truncation is the last step before a model. A text that is still too long is an
error of the server; one that ends in U+FFFD, or lost more than its end, is a wrong prompt.

Oracle: invariant: ``truncate(text, limit)`` is the beginning of the text, or its end if the chunker
declares ``truncates = "left"``; it is not longer than the limit; and a text within the limit stays
as it is.

How it works: each text is truncated to each limit, and the result is counted as chunks are.

Verdicts: *bug*; *by design* for a limit that is smaller than a character of the text, for a lone
surrogate that raises or becomes U+FFFD, and for a grapheme cluster that is longer than the limit.

Example::

    TOK609 bug  truncate: U+FFFD at the cut

What to do: remove the rest of a character at the cut; compare the length before you cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tokharness.chunking.checks.text_differs import CHANGES
from tokharness.chunking.chunker import ENDS, NO_RESULT, NOT_TRIED, PANIC, Chunk
from tokharness.chunking.splitting import (
    REPLACEMENT,
    Problem,
    has_surrogate,
    is_white_space,
    without_surrogates,
)
from tokharness.model import Cause, Verdict
from tokharness.unicode.properties import graphemes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.chunking.chunker import Answer
    from tokharness.chunking.splitting import Splitting
    from tokharness.chunking.texts import Trial

Fault: TypeAlias = tuple[str, str]
"""What is wrong, and the message."""

CODE = "TOK609"
NAME = "truncate-differs"

NO_TEXT = NO_RESULT["truncate"]


def not_applicable(splitting: Splitting) -> str:
    """Return why the check has nothing to see, or ""."""
    if "truncate" not in splitting.chunker.methods:
        return "the chunker has no truncate(text, limit)"
    return ""


def problems(splitting: Splitting, trial: Trial) -> Iterator[Problem]:
    """Yield how the truncated text of a trial is wrong."""
    if trial.overlap:
        return
    answer = splitting.chunker.ask("truncate", trial.text, trial.limit)
    if answer.failure == NOT_TRIED:
        return
    size = splitting.size(trial.text) if splitting.has_sizes else None
    is_long = size is None or size > trial.limit
    is_small = splitting.is_too_small(trial) and is_long
    if answer.failure:
        faults = [_failure(answer)]
        harmless = answer.failure not in (*ENDS, PANIC, NO_TEXT)
    else:
        faults = list(_faults(splitting, trial, answer.value, is_long=is_long))
        harmless = True
    if not faults:
        return
    excused = _excuse(splitting, trial, faults, is_small=is_small) if harmless else ""
    evidence = (
        {"truncated": answer.value.text} if not answer.failure else {"raised": answer.message}
    )
    on = (("on", excused),) if excused else ()
    verdict = Verdict.FACT if excused else Verdict.BUG
    first, *others = (
        Cause(
            "truncate",
            (("how", how), *on),
            verdict,
            f"{message}, on {excused}" if excused else message,
        )
        for how, message in faults
    )
    yield Problem(first, evidence, others=tuple(others))


def _failure(answer: Answer) -> tuple[str, str]:
    """Return how truncate fails, and the message."""
    if answer.failure == NO_TEXT:
        return "returns no text", "truncate returns something else than a text"
    how = "does not end" if answer.failure in ENDS else "raises"
    return how, f"truncate {how}: {answer.kind or answer.failure}"


def _excuse(splitting: Splitting, trial: Trial, faults: Sequence[Fault], *, is_small: bool) -> str:
    """Return what excuses faults: no lone surrogate if a letter in its place shows them, too."""
    if has_surrogate(trial.text):
        plain = splitting.with_text(trial, without_surrogates(trial.text))
        answer = splitting.chunker.ask("truncate", plain.text, plain.limit)
        if not answer.failure:
            also = _faults(splitting, plain, answer.value, is_long=True)
            if {how for how, _ in faults} & {how for how, _ in also}:
                return ""
        return "a text with a lone surrogate"
    return "a limit that is smaller than a character" if is_small else ""


def _faults(splitting: Splitting, trial: Trial, given: Chunk, *, is_long: bool) -> Iterator[Fault]:
    """Yield what may be wrong with a truncated text, and the message."""
    text, kept = trial.text, given.text
    size = splitting.size(kept)
    if given.is_broken or (has_surrogate(kept) and not has_surrogate(text)):
        yield "cut inside a character", "the truncated text ends inside a character"
    elif REPLACEMENT in kept and REPLACEMENT not in text:
        yield "U+FFFD at the cut", "the truncated text has U+FFFD, which the text does not have"
    else:
        yield from _changed(splitting, trial, kept)
        if not is_long and kept != text and not _is_stripped(splitting, text, kept):
            yield "a text that fits", "a text within the limit is changed"
        if not _is_side(splitting, text, kept):
            side = "end" if splitting.chunker.truncates == "left" else "beginning"
            yield f"not the {side}", f"the truncated text is not the {side} of the text"
        elif size is not None and size > trial.limit and len(graphemes(kept)) > 1:
            yield "limit exceeded", "the truncated text is longer than the limit"


def _changed(splitting: Splitting, trial: Trial, kept: str) -> Iterator[Fault]:
    """Yield what is done to a text before or after it is truncated."""
    text, left = trial.text, splitting.chunker.truncates == "left"
    first = graphemes(text)[:1]
    if not kept and not all(map(is_white_space, text)):
        if (splitting.size(first[0]) or trial.limit + 1) <= trial.limit:
            yield "nothing is kept", "nothing of the text is kept, also where a character fits"
        return
    bare = text.strip()
    is_part = bare.endswith(kept) if left else bare.startswith(kept)
    longer = text[-len(kept) - 1 :] if left else text[: len(kept) + 1]
    has_room = kept == bare != text and (splitting.size(longer) or trial.limit + 1) <= trial.limit
    is_changed = has_room or not _is_side(splitting, text, kept)
    if is_part and is_changed and not splitting.loses_white_space:
        yield "stripped", "the truncated text is stripped of white space"
    for name, change in CHANGES.items():
        other = change(text)
        begins = other.endswith(kept) if left else other.startswith(kept)
        if begins and not _is_side(splitting, text, kept):
            yield name, f"the text is changed before it is truncated: {name}"


def _is_side(splitting: Splitting, text: str, kept: str) -> bool:
    if splitting.chunker.truncates == "left":
        text, kept = text[::-1], kept[::-1]
    if text.startswith(kept):
        return True
    return splitting.loses_white_space and text.lstrip().startswith(kept)


def _is_stripped(splitting: Splitting, text: str, kept: str) -> bool:
    before, found, after = text.partition(kept) if kept else (text, "", "")
    is_part = bool(found) or not kept
    return is_part and splitting.loses_white_space and all(map(is_white_space, before + after))
