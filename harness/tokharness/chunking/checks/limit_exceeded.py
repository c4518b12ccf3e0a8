"""A chunk is longer than the limit.

Why it matters: an embedding model truncates a chunk that is too long, or refuses it, so that its
end is never found. The limit is what the splitter is for.

Oracle: differential: each chunk alone is counted by the tokenizer that is named with
``--tokenizer`` or ``counts_with``, or else by ``count`` of the chunker itself.

How it works: each chunk is counted alone. A chunk of one grapheme cluster (UAX #29), and a limit
that is smaller than a character of the text, are facts.

Verdicts: *bug*, also for a chunk that ``count`` fails on; *by design* for a single grapheme cluster
or character.

Example: a word that is longer than the limit is one chunk::

    TOK604 bug  limit exceeded: a word is not split

What to do: count a chunk after it is stripped, as a word without the space before it may have more
tokens; split a word that is too long between grapheme clusters; count a chunk as it is returned,
with its overlap and its separators.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.chunking.chunker import NOT_TRIED
from tokharness.chunking.splitting import CLASSES, Problem, has_surrogate, is_white_space
from tokharness.model import Cause, Verdict
from tokharness.unicode.properties import graphemes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokharness.chunking.splitting import Splitting
    from tokharness.chunking.texts import Trial

CODE = "TOK604"
NAME = "limit-exceeded"

MESSAGES = {
    "counted alone by the tokenizer": "the tokenizer counts more tokens in a chunk than the limit, "
    "and the chunker not",
    "words are counted": "the limit is a number of words",
    "stripped": "a chunk is longer than the limit without the white space that was before it",
    "with an overlap": "a chunk is longer than the limit with an overlap, and not without",
    "a sentence is not split": "a sentence that is longer than the limit is not split",
    "a word is not split": "a word or a text without a separator, longer than the limit, is not "
    "split",
    "the first chunk": "the first chunk of a text is longer than the limit",
    "the last chunk": "the last chunk of a text is longer than the limit",
}


def not_applicable(splitting: Splitting) -> str:
    """Return why the check has nothing to see, or ""."""
    if not splitting.has_sizes:
        return "the chunker has no count(text): name the tokenizer that counts with --tokenizer"
    if splitting.tokenizer is not None and not any(_sizes(splitting, splitting.trials)):
        return "the tokenizer counts no chunk"
    return ""


def _sizes(splitting: Splitting, trials: Iterable[Trial]) -> Iterator[bool]:
    """Yield for each chunk whether its length is known."""
    for trial in trials:
        yield from (size is not None for size in splitting.sizes(splitting.texts(trial)))


def problems(splitting: Splitting, trial: Trial) -> Iterator[Problem]:
    """Yield a problem for the first chunk that is too long."""
    if splitting.damage(trial):
        return
    texts = splitting.texts(trial)
    long = [
        (text, size)
        for text, size in zip(texts, splitting.sizes(texts), strict=True)
        if size is not None and size > trial.limit
    ]
    if not long:
        yield from _not_counted(splitting, texts)
        return
    text, size = next((row for row in long if len(graphemes(row[0].strip())) > 1), long[0])
    evidence = {"too long": text, "length": size}
    cause = _cause(splitting, trial, text)
    if cause != _exceeded("the chunk"):
        yield Problem(cause, evidence)
        return
    sides = {"the first chunk": texts[:1], "the last chunk": texts[-1:]}
    at_a_side = [how for how, side in sides.items() if side == [one for one, _ in long] == [text]]
    narrower = [*_uncounted(splitting, trial, text), *at_a_side]
    first, *others = map(_exceeded, [*narrower, "the chunk"])
    yield Problem(first, evidence, others=tuple(others))


def _uncounted(splitting: Splitting, trial: Trial, text: str) -> Iterator[str]:
    """Yield the classes of characters that a chunker does not count.

    The chunk fits without the characters of the class, and a run of them longer than the limit is
    in one chunk, too.
    """
    for name, is_of_class in {"white space": is_white_space, **CLASSES}.items():
        members = [char for char in text if is_of_class(char)]
        kept = "".join(char for char in text if not is_of_class(char))
        if members and (splitting.size(kept) or 0) <= trial.limit:
            run = members[0] * 4 * trial.limit
            if any(run in one for one in splitting.texts(splitting.with_text(trial, f"x{run}"))):
                yield f"{name} {'is' if name == 'white space' else 'are'} not counted"


def _exceeded(how: str) -> Cause:
    message = "a chunk is longer than the limit"
    return Cause("limit exceeded", (("how", how),), message=MESSAGES.get(how, message))


def _not_counted(splitting: Splitting, texts: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem if the chunker itself does not count a chunk."""
    if splitting.tokenizer is not None:
        return
    for text in texts:
        answer = splitting.chunker.ask("count", text)
        if answer.failure and answer.failure != NOT_TRIED and not has_surrogate(text):
            how = answer.kind or answer.failure
            message = f"count gives no length of a chunk, so that its limit is not checked: {how}"
            cause = Cause("count fails", (("how", how),), message=message)
            yield Problem(cause, {"chunk": text, "raised": answer.message[:500]})
            return


def _cause(splitting: Splitting, trial: Trial, text: str) -> Cause:
    if splitting.is_too_small(trial):
        message = "a chunk exceeds a limit that is smaller than a character of the text"
        return Cause("limit smaller than a character", (), Verdict.FACT, message)
    if len(graphemes(text.strip())) <= 1:
        message = "a grapheme cluster that is longer than the limit is a chunk of its own"
        return Cause("grapheme cluster exceeds the limit", (), Verdict.FACT, message)
    own = _own_count(splitting, text)
    how = "the chunk"
    if len(text.split()) <= trial.limit and splitting.counts_words:
        how = "words are counted"
    elif own is not None and own <= trial.limit:
        how = "counted alone by the tokenizer"
    elif _fits_with_space(splitting, trial, text):
        how = "stripped"
    elif trial.overlap and _fits(splitting, replace(trial, overlap=0)):
        how = "with an overlap"
    elif not _is_word(text) and _keeps(splitting, trial, " ".join([text.strip()] * 4)):
        how = "a sentence is not split"
    elif _keeps(splitting, trial, text.strip() * 4):
        how = "a word is not split"
    return _exceeded(how)


def _fits_with_space(splitting: Splitting, trial: Trial, text: str) -> bool:
    """Whether a chunk is within the limit with a space before it, which was stripped."""
    places = (splitting.placed(trial) if splitting.is_placed(trial) else None) or ()
    starts = {start for start, end in places if trial.text[start:end] == text}
    before = {trial.text[start - 1] for start in starts if start}
    return any(
        splitting.may_lose(char) and (splitting.size(char + text) or 0) in range(1, trial.limit + 1)
        for char in before
    )


def _is_word(text: str) -> bool:
    return not any(map(is_white_space, text.strip()))


def _keeps(splitting: Splitting, trial: Trial, longer: str) -> bool:
    """Whether a chunk is not split if it is several times as long, and not only as it is."""
    chunks = splitting.texts(splitting.with_text(trial, longer))
    return [text.strip() for text in chunks if text.strip()] == [longer]


def _own_count(splitting: Splitting, text: str) -> int | None:
    """Return the chunker's own count of a chunk if another tokenizer counted it, too."""
    if splitting.tokenizer is None or "count" not in splitting.chunker.methods:
        return None
    own = splitting.chunker.ask("count", text).value
    return own if isinstance(own, int) else None


def _fits(splitting: Splitting, trial: Trial) -> bool:
    sizes = splitting.sizes(splitting.texts(trial))
    return all(size is not None and size <= trial.limit for size in sizes)
