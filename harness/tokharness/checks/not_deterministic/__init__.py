"""The same text gets different ids when it is encoded again.

Why it matters: a server encodes in many threads, and training compares runs. A buffer shared by two
requests puts the words of one user into the prompt of another. A cache whose key ignores case, or
keeps only the first sixteen characters, gives the second text the ids of the first. Such faults
appear in production, because a test of a single text does not show them.

Oracle: invariant of one target. The ids of a text depend on the text alone: not on earlier calls,
their number or order, the number of threads, or the process that has loaded the target. The same
holds for the results of the other entry points, even after an entry point has raised.

How it works: the check encodes texts of every family again, in reverse order and twice in a row;
built-in texts three times; and fresh words in pairs that a careless cache confuses (other case,
same beginning, same length, same normal form, ...), in both orders, which proves that the first
word wins. The check sends the built-in texts to a program in one request, and compares the ids with
the ids that each text gets alone. It makes each entry point raise, with a lone surrogate, a special
token, or a batch that has one of them, and repeats calls whose results it knows. It changes the
returned list of ids, and calls the target from several threads at once, each in its own order:
first all threads encode and decode, then each calls every entry point. A text that is lost in
several threads must come back in one thread. A target in a separate process is called from one
thread only. Two further processes, each with its own ``PYTHONHASHSEED``, load the target and encode
texts of families and of its added tokens; if a process gives different ids, further processes show
whether the hash seed or chance decides. For a ``python:`` target, one of the two processes is a
plain interpreter, which imports nothing of tokharness except what the target imports: a target that
behaves only while it is checked gives different ids there.

Verdicts: *bug*.

Example: a cache of the first sixteen characters::

    TOK109 bug  state: a cache that confuses texts with the same first 16 characters

What to do: use the whole text as the key of a cache, return copies, share no buffers between
threads, clear them where a call ends with an exception, and let no result depend on the order of a
set or of a hash table. Give the results of a request in the order of its texts.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any

from tokharness.checks.not_deterministic.threads import thread_failures
from tokharness.diagnosis.comparisons import compared
from tokharness.diagnosis.probes.after_errors import after_error_failures, raising_calls_of_text
from tokharness.diagnosis.probes.cache_collisions import (
    ENCODED_BEFORE,
    SAME_LENGTH,
    collision_cause,
    confused_texts,
)
from tokharness.diagnosis.probes.calls import encode_all, was_skipped
from tokharness.diagnosis.probes.other_process import process_failures
from tokharness.diagnosis.probes.word_pairs import RandomWords
from tokharness.diagnosis.state import random_causes, state_cause
from tokharness.model import Batch, Cause, Failure
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

__all__ = ["CODE", "COLUMNS", "NAME", "audit", "diagnose", "evidence", "failing"]

CODE = "TOK109"
NAME = "not-deterministic"
COLUMNS = ()


TWICE_EVERY = 8
"""Every eighth of the sampled rows is encoded twice in a row."""

IN_BETWEEN = ("a", "the quick brown fox", "\u4e2d\u6587", "\U0001f600", "A", "")
BUILT_IN = (
    *("a", "A", "word", " word", "Word", "1234567", "don't", "  x", "\n\n", "\t", ".", "a b c"),
    *("caf\u00e9", "cafe\u0301", "\u4e2d\u6587", "\U0001f600", "\u200b"),
    "\U0001f468\u200d\U0001f469",
    *("the quick brown fox jumps over the lazy dog", "x" * 300, "a\r\nb", "\u0939\u093f\u0928"),
)
REPEATS, TRIES = 3, 8
"""Calls in a row, and attempts to get evidence if the ids differ at random."""
TEXTS_OF_A_FAMILY, MOST_CHARACTERS = 40, 200
TOKENS, STRIDE = 256, 4
"""Number of added and special tokens, and step among the other texts, for another process."""


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Sampled rows that get different ids when they are encoded again, in reverse order."""
    rows = batch.sampled_rows[::-1]
    rows = [row for place, row in enumerate(rows) for _ in range(1 + (place % TWICE_EVERY == 0))]
    second = encode_all([batch.texts[row] for row in rows], subject)
    first = [batch.ids[row] for row in rows]
    if second == first:
        return []
    both = zip(rows, second, first, strict=True)
    return sorted({row for row, new, old in both if new != old and not was_skipped(new)})


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Encode a text again, in a row and after other texts."""
    if _other_ids(text, subject):
        return [state_cause(subject)]
    return random_causes(text, subject)  # which makes more calls


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return the first ids of the text, and the different ids that a later call gives."""
    tries = (_other_ids(text, subject) for _ in range(TRIES))
    found = next(filter(None, tries), None)
    if found is None:
        return {}
    first, after, ids = found
    given = "raises an exception" if ids is None else ids
    return {"after": after, **compared(given, first, subject)}


def _other_ids(text: str, subject: Subject) -> tuple[list[int], str, list[int] | None] | None:
    """Return the ids of a text, a call, and the different ids of the text after it, if any."""
    first = subject.encode(text)
    if first is None:
        return None
    for _ in range(REPEATS):
        if (ids := subject.encode(text)) != first:
            return first, "the same call", ids
    for other_text in IN_BETWEEN:
        subject.encode(other_text)
        if (ids := subject.encode(text)) != first:
            return first, f"encode({other_text!a})", ids
    return None


def audit(subject: Subject) -> Iterator[Failure]:
    """Encode texts again, pairs that a cache may confuse, and from several threads."""
    for text in BUILT_IN:
        if _other_ids(text, subject):
            yield Failure(state_cause(subject), text=text)
            return
    errors = after_error_failures(raising_calls_of_text(subject), subject)
    found = [*_order_failures(subject), *errors, *cache_collision_failures(subject)]
    yield from found
    if found:
        return
    texts = _texts(subject)
    yield from process_failures(_texts_of_tokens(subject) + texts[::STRIDE], subject)
    if not subject.target.has_own_process:
        yield from thread_failures(texts, subject)


def _order_failures(subject: Subject) -> Iterator[Failure]:
    """Find a program that gives the right results of a request in another order than its texts."""
    alone = [subject.encode(text) for text in BUILT_IN]
    together = encode_all(BUILT_IN, subject)
    if None in alone or any(isinstance(row, Raised) for row in together):
        return
    differ = [place for place, ids in enumerate(alone) if ids != together[place]]
    if not differ or Counter(tuple(ids or ()) for ids in alone) != Counter(map(tuple, together)):
        return
    message = "a request with several texts gets the ids of all texts, in another order"
    cause = Cause("state", (("by", "results in another order"),), message=message)
    place = min(differ, key=lambda place: len(BUILT_IN[place]))
    evidence = compared(together[place], alone[place], subject)
    yield Failure(cause, text=BUILT_IN[place], evidence={"texts": len(BUILT_IN), **evidence})


def _texts_of_tokens(subject: Subject) -> list[str]:
    """Return the texts of added and special tokens, which tables without an order may confuse."""
    tokens = dict.fromkeys((*subject.target.added_tokens, *subject.special_tokens))
    return [*islice(tokens, TOKENS), *(f"a {token} b" for token in islice(tokens, TOKENS))]


def _texts(subject: Subject) -> list[str]:
    """Built-in texts, and short texts of families."""
    texts = dict.fromkeys((*BUILT_IN, *(f"{text} {n}" for n in range(20) for text in BUILT_IN)))
    for _, cases in subject.chosen_cases():
        first = islice(cases(), TEXTS_OF_A_FAMILY)
        texts |= dict.fromkeys(case.text for case in first if len(case.text) <= MOST_CHARACTERS)
    return list(texts)


def cache_collision_failures(subject: Subject) -> Iterator[Failure]:
    """Find a cache that confuses texts, and a cached list that callers can change."""
    words = RandomWords()
    found = confused_texts(words, subject)
    if found is not None:
        relation, (first, second) = found
        decoded = subject.decode(subject.encode(second) or [])
        # The second text has the ids of the first text, so they decode to the first text.
        evidence = {ENCODED_BEFORE: first, **compared(decoded, second, subject)}
        yield Failure(collision_cause(relation), text=second, evidence=evidence)
    if found is None or found[0] != SAME_LENGTH:
        yield from _shared_list_failures(words, subject)


def _shared_list_failures(words: RandomWords, subject: Subject) -> Iterator[Failure]:
    """Find a target that returns the list that it caches."""
    text = f"{words.letters(8)} {words.letters(8)}"
    result = subject.target.encode(text)
    if isinstance(result, Raised) or not result:  # another check reports exceptions
        return
    result.clear()
    if subject.encode(text) == []:
        message = "encode returns its cached list: a caller that changes it changes later results"
        cause = Cause("state", (("by", "a list shared with the caller"),), message=message)
        yield Failure(cause, text=text)
