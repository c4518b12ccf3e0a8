"""Caches that confuse two texts, and lists that a target shares with its caller.

Words that nobody asked about before are asked about in pairs that are alike in one way. Of a pair
that a cache takes for one whoever is asked first gets its own ids, and the other gets the same;
with another pair in the other order it is the other that loses. A normalizer changes always the
same one, so it is not taken for a cache.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from tokharness.diagnosis.probes.word_pairs import (
    CASE,
    PREFIXES,
    SAME_END,
    SAME_ENDS_AND_LENGTH,
    SAME_START,
    SPACE_BEFORE,
    Pair,
    RandomWords,
    pair_makers,
)
from tokharness.model import Cause, Failure
from tokharness.outcome import called

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.targets.subject import Subject

__all__ = ["cache_collision_failures"]

MOST_WAYS = 4

MANY, ENOUGH = 2000, 8
"""Unlike texts, among which a short hash finds two that are equal to it; and proofs of that."""


def cache_collision_failures(subject: Subject) -> Iterator[Failure]:
    """Tell a cache that gives one text the ids of another, and a list that callers can change."""
    words = RandomWords()
    lengths = iter(range(1201, 10_000, 37))  # no text of such a length was asked about before
    by_length = _loses(lambda: words.unlike(next(lengths)), subject)
    if by_length:
        yield _confusing("of the same length", by_length)
        return
    pairs = {}
    for how, make in pair_makers().items():
        pair = _loses(functools.partial(make, words), subject)
        if pair is not None:
            pairs[how] = pair
    if pairs:
        told = _told(list(pairs))
        yield _confusing(" or ".join(told), pairs[told[0]])
    elif unlike := _hashed(words, subject):
        yield _confusing("that have nothing in common", unlike)
    yield from _shared_list(words, subject)


def _told(ways: list[str]) -> list[str]:
    """Leave out the ways in which texts are alike that follow from another one among them."""
    first = next((how for how in ways if how.startswith(SAME_START)), "")
    if first in [f"{SAME_START}{length} characters" for length in PREFIXES[:2]]:
        return [first]
    if first:
        ways = [
            how
            for how in ways
            if how == first or not how.startswith((SAME_START, SAME_ENDS_AND_LENGTH))
        ]
    if SAME_END in ways:
        ways = [how for how in ways if how not in (CASE, SPACE_BEFORE, SAME_ENDS_AND_LENGTH)]
    return ways[:MOST_WAYS]


def _loses(make: Callable[[], Pair], subject: Subject) -> Pair | None:
    """A pair of which the second asked gets the first one's ids, whichever is asked first."""
    one, other = make()
    if not _takes(one, other, subject):
        return None
    other_two, one_two = make()
    return (one, other) if _takes(one_two, other_two, subject) else None


def _takes(first: str, second: str, subject: Subject) -> bool:
    """Whether the second text gets the ids of the first, which are right for the first."""
    if subject.expected(first) == subject.expected(second):
        return False
    ids, ids_of_second = subject.try_encode(first), subject.try_encode(second)
    return bool(ids) and ids == ids_of_second and _is_right(ids, first, subject)


def _is_right(ids: list[int] | None, text: str, subject: Subject) -> bool:
    try:
        return subject.target.decode(ids or []) == subject.expected(text)
    except KeyboardInterrupt:
        raise
    except BaseException:  # what raises is another check's to tell
        return False


def _hashed(words: RandomWords, subject: Subject) -> Pair | None:
    """Two unlike texts with one list of ids, which are right for the one asked first.

    That may have been long ago: then several lists of ids are right for texts that have letters
    which the words they are given for have not. Of an unknown token there is one such text.
    """
    first: dict[tuple[int, ...], str] = {}
    earlier: dict[str, str] = {}
    for _ in range(MANY):
        text = words.letters(9)
        ids = subject.try_encode(text)
        if ids and first.setdefault(tuple(ids), text) != text:
            before = first[tuple(ids)]
            if _is_right(ids, before, subject):
                return before, text
            owner = called(subject.target.decode, ids)
            if isinstance(owner, str) and set(owner) - set(before) and set(owner) - set(text):
                earlier[owner] = text
        if len(earlier) == ENOUGH:
            break
    owned = [pair for pair in earlier.items() if _is_owned(pair, subject)]
    return owned[0] if len(owned) == ENOUGH else None


def _is_owned(pair: Pair, subject: Subject) -> bool:
    """Whether both texts of a pair still have one list of ids."""
    ids, others = map(subject.try_encode, pair)
    return bool(ids) and ids == others


def _confusing(what: str, pair: Pair) -> Failure:
    message = f"a cache gives a text the ids of another, asked about before, for texts {what}"
    by = f"a cache that confuses texts {what}"
    cause = Cause("state", (("by", by),), message=message)
    return Failure(cause, text=pair[1], evidence={"asked before": pair[0]})


def _shared_list(words: RandomWords, subject: Subject) -> Iterator[Failure]:
    """Tell a target that gives its caller the list that it keeps."""
    text = f"{words.letters(8)} {words.letters(8)}"
    try:
        given = subject.target.encode(text)
        ids = list(given)
        if isinstance(given, list):
            given.clear()
        again = list(subject.target.encode(text))
    except KeyboardInterrupt:
        raise
    except BaseException:  # what raises is another check's to tell
        return
    if ids and again == []:
        message = "encode gives its caller the list that it keeps: who changes it changes the next"
        cause = Cause("state", (("by", "a list shared with the caller"),), message=message)
        yield Failure(cause, text=text)
