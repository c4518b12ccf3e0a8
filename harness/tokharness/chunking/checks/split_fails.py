"""A chunker raises, does not end, or returns something else than chunks.

Why it matters: one document of a million stops an ingestion, or is skipped without a word. Text
that looks like a special token is in each corpus about models, and a splitter that encodes with
tiktoken's default setting raises on it.

Oracle: invariant: each text has chunks, unless a single character exceeds the limit.

How it works: each text is split in a process of its own, with limits of time and memory. Where that
fails, the check looks for the change with which it does not: other letters for the text of a
special token, a lone surrogate or a character, no overlap. That is the cause.

Verdicts: *bug*; *by design* for an exception on a lone surrogate, or on a limit that is smaller
than a character of the text.

Example::

    TOK601 bug  raises: text of a special token   ValueError

What to do: encode with ``disallowed_special=()``, or as plain text; return ``[]`` for an empty
text.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.chunking.chunker import ENDS, NO_CHUNKS, NOT_TRIED, PANIC
from tokharness.chunking.splitting import (
    CLASSES,
    Problem,
    has_surrogate,
    is_white_space,
    without_surrogates,
)
from tokharness.model import Cause, Verdict
from tokharness.unicode.properties import label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.chunking.chunker import Answer
    from tokharness.chunking.splitting import Splitting
    from tokharness.chunking.texts import Trial

CODE = "TOK601"
NAME = "split-fails"

SPECIAL = re.compile(r"<[|/\uff5c]*[A-Za-z_][!-;=?-~\uff5c\u2581]*>|\[/?[A-Z_]+\]")
"""Text that is a special token of a vocabulary, or looks like one."""

MOST_CHARACTERS = 200
"""Different characters of a text, each of which is tried as the cause."""

LARGE = 1000
"""A limit that no character exceeds."""

MESSAGES = {
    "time limit": "split does not end in the time limit",
    "memory limit": "split takes more memory than a text may have",
    "death": "split ends the process",
    NO_CHUNKS: "split returns something else than a list of chunks",
}


def problems(splitting: Splitting, trial: Trial) -> Iterator[Problem]:
    """Yield how a trial fails."""
    answer = splitting.answer(trial)
    if answer.failure not in ("", NOT_TRIED):
        kind, verdict, message = _cause(splitting, trial, answer)
        shown = f"{answer.kind}: {answer.message}" if answer.kind else answer.message
        where = () if not kind else (("on", kind),)
        what = "raises" if answer.failure not in MESSAGES else answer.failure
        cause = Cause(what, where, verdict, message)
        causes = (
            [*_of_characters(splitting, trial, cause), cause] if kind == answer.kind else [cause]
        )
        if kind == "an overlap" and answer.kind:  # splits without one may fail so, too
            causes.append(
                Cause(what, (("on", answer.kind),), message=f"split raises {answer.kind}")
            )
        yield Problem(causes[0], {"raised": shown[:500]}, others=tuple(causes[1:]))


def _of_characters(splitting: Splitting, trial: Trial, cause: Cause) -> Iterator[Cause]:
    """Yield a cause for each character without which the trial does not fail."""
    chars = dict.fromkeys(trial.text)
    if not cause.parameters or len(chars) > MOST_CHARACTERS:
        return
    for char in chars:
        if char != "x" and not _fails(splitting, trial, text=trial.text.replace(char, "x")):
            yield _on_a_text_with(label(char), cause)
    for name, is_of_class in CLASSES.items():
        plain = "".join("x" if is_of_class(char) else char for char in trial.text)
        if plain != trial.text and not _fails(splitting, trial, text=plain):
            yield _on_a_text_with(name, cause)


def _on_a_text_with(name: str, cause: Cause) -> Cause:
    message = f"{cause.message} on a text that has {name}"
    return Cause(cause.kind, (("on", name),), message=message)


def _cause(splitting: Splitting, trial: Trial, answer: Answer) -> tuple[str, Verdict, str]:
    """Return what the failure depends on, its verdict and the message."""
    message = MESSAGES.get(answer.failure, f"split raises {answer.kind}")
    is_end = answer.failure in ENDS
    with_overlap = trial.overlap > 0 and _fails(splitting, trial, limit=LARGE)
    if with_overlap and not _fails(splitting, trial, limit=LARGE, overlap=0):
        return "an overlap", Verdict.BUG, f"{message} with an overlap, for any limit"
    if not is_end and splitting.is_too_small(trial) and not _fails(splitting, trial, limit=LARGE):
        return (
            "a limit smaller than a character",
            Verdict.FACT,
            f"{message} if the limit is smaller than a character of the text",
        )
    plain = without_surrogates(trial.text)
    if has_surrogate(trial.text) and not _fails_so(splitting, replace(trial, text=plain), answer):
        is_fact = not is_end and answer.failure not in (PANIC, NO_CHUNKS)
        verdict = Verdict.FACT if is_fact else Verdict.BUG
        return "a lone surrogate", verdict, f"{message} on a text with a lone surrogate"
    if not trial.text and not _fails(splitting, trial, text="x"):
        return "the empty text", Verdict.BUG, f"{message} on the empty text"
    if _is_of_special(splitting, trial):
        return (
            "text of a special token",
            Verdict.BUG,
            f"{message} on a text that has the text of a special token",
        )
    size = len(trial.text)
    is_of_space = trial.text.isspace() and _fails(splitting, trial, text=" " * size)
    if is_of_space and not _fails(splitting, trial, text="x" * size):
        return "white space alone", Verdict.BUG, f"{message} on a text of white space"
    if how := _of_limit(splitting, trial):
        return how, Verdict.BUG, f"{message} on {how}"
    if trial.overlap and not _fails(splitting, trial, overlap=0):
        return "an overlap", Verdict.BUG, f"{message} with an overlap of at most half the limit"
    return "" if answer.failure in MESSAGES else answer.kind, Verdict.BUG, message


def _of_limit(splitting: Splitting, trial: Trial) -> str:
    """Return what the limit is too small for, if it is: any text, or a word; else ""."""
    if _fails(splitting, trial, limit=LARGE):
        return ""
    if _fails(splitting, trial, text="x", overlap=0):
        return f"a limit of {trial.limit:,}"
    spaced = "".join(char if is_white_space(char) else f"{char} " for char in trial.text)
    word = "x" * len(trial.text)
    if not _fails(splitting, trial, text=spaced) and _fails(splitting, trial, text=word):
        return "a word longer than the limit"
    return ""


def _fails_so(splitting: Splitting, trial: Trial, answer: Answer) -> bool:
    """Whether a trial fails in the same way, also if its limit is large enough for a character."""
    limit = LARGE if splitting.is_too_small(trial) else trial.limit
    other = splitting.answer(replace(trial, limit=limit))
    return (other.failure, other.kind) == (answer.failure, answer.kind)


def _is_of_special(splitting: Splitting, trial: Trial) -> bool:
    """Whether it succeeds without the texts of special tokens, and with spaces inside of them."""
    letters = SPECIAL.sub(lambda match: "x" * len(match.group()), trial.text)
    spaced = SPECIAL.sub(lambda match: " ".join(match.group()), trial.text)
    return letters != trial.text and not any(
        _fails(splitting, trial, text=text) for text in (letters, spaced)
    )


def _fails(splitting: Splitting, trial: Trial, **changes: object) -> bool:
    other = replace(trial, **changes)  # type: ignore[arg-type]
    return bool(splitting.answer(other).failure)
