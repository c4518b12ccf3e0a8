"""``count`` is not the number of tokens that the tokenizer has.

Why it matters: if the model's tokenizer counts other tokens, chunks are too long, or leave space
unused that is paid for. Counts are often off by the tokens for the start and the
end, or for text that looks like a special token.

Oracle: differential: the number of ids of the text in the tokenizer that is named with
``--tokenizer`` or ``counts_with``, as plain text.

How it works: each text is counted by both. If all counts differ by the same number, that is the
cause.

Verdicts: *bug*; *by design* for a lone surrogate, and for an exception on one.

Example::

    TOK610 bug  count differs: 2 more for each text

What to do: count with the tokenizer of the model, without special tokens, and text as plain text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.chunking.checks.split_fails import SPECIAL
from tokharness.chunking.chunker import NOT_TRIED
from tokharness.chunking.splitting import Problem, has_surrogate
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.chunking.splitting import Splitting
    from tokharness.chunking.texts import Trial

CODE = "TOK610"
NAME = "count-differs"


def not_applicable(splitting: Splitting) -> str:
    """Return why the check has nothing to see, or ""."""
    if "count" not in splitting.chunker.methods:
        return "the chunker has no count(text)"
    if splitting.tokenizer is None:
        return "no tokenizer is known that counts: name it with --tokenizer"
    return ""


def problems(splitting: Splitting, trial: Trial) -> Iterator[Problem]:
    """Yield how the count of a text differs."""
    if trial.overlap:
        return
    text, expected = trial.text, splitting.size(trial.text)
    answer = splitting.chunker.ask("count", text)
    if answer.failure == NOT_TRIED or expected is None or answer.value == expected:
        return
    if answer.failure:
        what = "raises" if answer.kind else answer.failure
        raised = f"{answer.kind}: {answer.message}" if answer.kind else answer.message
        evidence: dict[str, object] = {"raised": raised[:500]}
    else:
        what = _difference(splitting, answer.value - expected)
        evidence = {"count": answer.value, "ids": expected}
    verdict = Verdict.FACT if has_surrogate(text) else Verdict.BUG
    on = "a lone surrogate" if has_surrogate(text) else ""
    if not on and SPECIAL.search(text) and not _differs(splitting, SPECIAL.sub("x", text)):
        on = "text of a special token"
    message = f"the count differs from the number of ids: {what}{f', on {on}' if on else ''}"
    parameters = (("how", what), *((("on", on),) if on else ()))
    yield Problem(Cause("count differs", parameters, verdict, message), evidence)


def _differs(splitting: Splitting, text: str) -> bool:
    answer = splitting.chunker.ask("count", text)
    return bool(answer.failure) or answer.value != splitting.size(text)


def _difference(splitting: Splitting, by: int) -> str:
    """Return by what a count differs: a number that all texts share, or more or less."""
    others = ("", "a", "two words", "\u4eca\u65e5", "1234567890")
    pairs = [(splitting.chunker.ask("count", one).value, splitting.size(one)) for one in others]
    differences = {count - size for count, size in pairs if count is not None and size is not None}
    if differences == {by}:
        return f"{abs(by)} {'more' if by > 0 else 'less'} for each text"
    return "more" if by > 0 else "less"
