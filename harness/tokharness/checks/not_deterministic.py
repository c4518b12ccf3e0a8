"""The same text gets other ids when it is asked about again.

Oracle: invariant of one target. The ids of a text depend on the text alone: not on what was asked
before, on how often, in which order, or by how many threads.

Why it matters: a server encodes in many threads, and training compares runs. A buffer that two
requests share puts the words of one user into the prompt of another; a cache whose key forgets the
case, or all after the first sixteen characters, gives whoever asks second the ids of whoever asked
first. Such faults are found in production, since no test of one text shows them.

What is tried: texts of every family again, in the reverse order, and twice in a row; built-in
texts three times; fresh words in pairs that a careless cache takes for one (other case, same
beginning, same length, same normal form, ...), in both orders, so that it is proved that the one
asked first wins; the list of ids changed by its caller; several threads at once, each with its own
order. The verdict is *bug*. A target in a process of its own is asked by one thread only.

Example: a cache of the first sixteen characters::

    TOK109 bug  state: a cache that confuses texts with the same first 16 characters
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.cache_collisions import confused_by_a_cache
from tokharness.diagnosis.probes.calls import encoded_each, is_not_tried
from tokharness.diagnosis.probes.threads import differing_in_threads
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
    again = encoded_each([batch.texts[row] for row in rows], subject)
    before = [batch.ids[row] for row in rows]
    if _is_same(again, before):
        return []
    before = [old if old is None else as_ids(old) for old in before]  # as those asked again are
    both = zip(rows, again, before, strict=True)
    return sorted({row for row, new, old in both if new != old and not is_not_tried(new)})


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
    found = list(confused_by_a_cache(subject))
    yield from found
    if not found and not subject.target.has_own_process:
        yield from differing_in_threads(_texts(subject), subject)


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
