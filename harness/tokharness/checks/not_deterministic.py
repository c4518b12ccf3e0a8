"""The same text gets different ids when it is encoded again.

Why it matters: a server encodes in many threads, and training compares runs. A buffer shared by two
requests puts the words of one user into the prompt of another. A cache whose key ignores case, or
keeps only the first sixteen characters, gives the second text the ids of the first. Such faults
surface in production, because a test of a single text does not show them.

Oracle: invariant of one target. The ids of a text depend on the text alone: not on earlier calls,
nor on their number or order, nor on the number of threads.

How it works: the check encodes texts of every family again, in reverse order and twice in a row;
built-in texts three times; and fresh words in pairs that a careless cache confuses (other case,
same beginning, same length, same normal form, ...), in both orders, which proves that the first one
wins. It changes the returned list of ids, and encodes from several threads at once, each in its own
order. A target in a process of its own is called from one thread only.

Verdicts: *bug*.

Example: a cache of the first sixteen characters::

    TOK109 bug  state: a cache that confuses texts with the same first 16 characters

What to do: use the whole text as the key of a cache, return copies, and share no buffers between
threads.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.cache_collisions import cache_collision_failures
from tokharness.diagnosis.probes.calls import encode_all, was_not_tried
from tokharness.diagnosis.probes.threads import thread_failures
from tokharness.diagnosis.state import STATE
from tokharness.model import Batch, Cause, Failure
from tokharness.targets.subject import Subject, as_ids

if TYPE_CHECKING:
    from collections.abc import Iterator

CODE = "TOK109"
NAME = "not-deterministic"
COLUMNS = ()

__all__ = ["CODE", "COLUMNS", "NAME", "audit", "diagnose", "failing"]

TWICE = 8
"""Of the sampled rows every so manieth is asked about twice in a row."""

OTHERS = ("a", "the quick brown fox", "\u4e2d\u6587", "\U0001f600", "A", "")
BUILT_IN = (
    *("a", "A", "word", " word", "Word", "1234567", "don't", "  x", "\n\n", "\t", ".", "a b c"),
    *(
        "caf\u00e9",
        "cafe\u0301",
        "\u4e2d\u6587",
        "\U0001f600",
        "\u200b",
        "\U0001f468\u200d\U0001f469",
    ),
    *("the quick brown fox jumps over the lazy dog", "x" * 300, "a\r\nb", "\u0939\u093f\u0928"),
)
REPEATS = 3
TEXTS_OF_A_FAMILY, MOST_CHARACTERS = 40, 200


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Sampled rows that have other ids when they are asked about again, last first."""
    rows = batch.sampled[::-1]
    rows = [row for place, row in enumerate(rows) for _ in range(1 + (place % TWICE == 0))]
    again = encode_all([batch.texts[row] for row in rows], subject)
    before = [batch.ids[row] for row in rows]
    if _is_same(again, before):
        return []
    before = [old if old is None else as_ids(old) for old in before]  # as those asked again are
    both = zip(rows, again, before, strict=True)
    return sorted({row for row, new, old in both if new != old and not was_not_tried(new)})


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Ask about a text again, in a row and after others."""
    first = subject.try_encode(text)
    if first is None:
        return []
    for _ in range(REPEATS):
        if subject.try_encode(text) != first:
            return [STATE]
    for other in OTHERS:
        subject.try_encode(other)
        if subject.try_encode(text) != first:
            return [STATE]
    return []


def audit(subject: Subject) -> Iterator[Failure]:
    """Ask about texts again, about pairs that a cache may confuse, and from several threads."""
    for text in BUILT_IN:
        if diagnose(text, subject):
            yield Failure(STATE, text=text)
            return
    found = list(cache_collision_failures(subject))
    yield from found
    if not found and not subject.target.has_own_process:
        yield from thread_failures(_texts(subject), subject)


def _texts(subject: Subject) -> list[str]:
    """Short texts of all families, and built-in ones."""
    texts = dict.fromkeys((*BUILT_IN, *(f"{text} {n}" for n in range(20) for text in BUILT_IN)))
    for _, cases in sorted(subject.cases.items()):
        some = islice(cases(), TEXTS_OF_A_FAMILY)
        texts |= dict.fromkeys(case.text for case in some if len(case.text) <= MOST_CHARACTERS)
    return list(texts)


def _is_same(again: list[Any], before: list[Any]) -> bool:
    """Whether two columns are the same as they are; arrays inside cannot be compared so."""
    try:
        return again == before
    except ValueError:
        return False
