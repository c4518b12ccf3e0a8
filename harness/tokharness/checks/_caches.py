"""Caches that confuse two texts, and lists that a target shares with its caller.

Words that nobody asked about before are asked about in pairs that are alike in one way. Of a pair
that a cache takes for one whoever is asked first gets its own ids, and the other gets the same;
with another pair in the other order it is the other that loses. A normalizer changes always the
same one, so it is not taken for a cache.
"""

from __future__ import annotations

import functools
import random
import string
from typing import TYPE_CHECKING

from tokharness.model import Cause, Failure
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.subject import Subject

__all__ = ["confused_by_a_cache"]

Pair = tuple[str, str]
PREFIXES = (4, 8, 16, 32, 64, 128, 256, 1024)
CASE, SPACE_BEFORE = "equal but for case", "equal but for a space at the start"
BEGUN, ENDED = "with the same first ", "with the same last characters"
INSIDE = "with the same beginning, end and length"
MOST_WAYS = 4

MANY = 2000
"""Unlike texts, among which a short hash finds two that are equal to it."""


class _Words:
    """Random words that nobody asks about by chance; the same in each run."""

    def __init__(self) -> None:
        self._draw = random.Random(109)

    def letters(self, length: int) -> str:
        return "".join(self._draw.choices(string.ascii_lowercase, k=length))

    def unlike(self, length: int) -> Pair:
        """Two texts of one length with nothing in common at either end."""
        one = self.letters(length)
        return one, one.translate(str.maketrans(string.ascii_lowercase, _ROTATED))


_ROTATED = string.ascii_lowercase[1:] + "a"


def _relations() -> dict[str, Callable[[_Words], Pair]]:
    """By what they share, two texts that differ; what a careless key leaves out of account."""

    def made(one: Callable[[str], str], other: Callable[[str], str]) -> Callable[[_Words], Pair]:
        def pair(words: _Words) -> Pair:
            word = words.letters(12)
            return one(word), other(word)

        return pair

    def begun(length: int) -> Callable[[_Words], Pair]:
        def pair(words: _Words) -> Pair:
            start = words.letters(length)
            one, other = words.unlike(6)
            return start + one, start + other

        return pair

    def ended(words: _Words) -> Pair:
        end = words.letters(64)
        one, other = words.unlike(6)
        return one + end, other + end

    def inside(words: _Words) -> Pair:
        start, end = words.letters(2000), words.letters(2000)
        return f"{start}q{end}", f"{start}z{end}"

    def same(word: str) -> str:
        return word

    return {
        CASE: made(lambda w: w.capitalize(), same),
        "equal but for a space at the end": made(lambda w: w + " ", same),
        SPACE_BEFORE: made(lambda w: " " + w, same),
        "equal but for the number of spaces": made(lambda w: f"{w} x", lambda w: f"{w}  x"),
        "equal but for the kind of white space": made(lambda w: f"{w} x", lambda w: f"{w}\tx"),
        "equal but for the kind of line end": made(lambda w: f"{w}\nx", lambda w: f"{w}\r\nx"),
        "equal but for punctuation": made(lambda w: f"{w}.", lambda w: f"{w}!"),
        "equal but for digits": made(lambda w: f"{w}1", lambda w: f"{w}2"),
        "equal but for U+200B": made(lambda w: f"{w}\u200bx", lambda w: f"{w}x"),
        "equal but for what follows U+0000": made(lambda w: f"{w}\0x", lambda w: f"{w}\0y"),
        "equal but for accents": made(lambda w: f"{w}\u00e9", lambda w: f"{w}e"),
        "equal but for other letters than ASCII": made(
            lambda w: f"{w}\u4e2d", lambda w: f"{w}\u6587"
        ),
        "equal but for the plane": made(lambda w: f"{w}\U00010400", lambda w: f"{w}\u0400"),
        "equal after NFC": made(lambda w: f"{w}\u00e9x", lambda w: normalize("NFD", f"{w}\u00e9x")),
        "equal after NFKC": made(lambda w: f"{w}\ufb01x", lambda w: f"{w}fix"),
        "equal after case folding": made(lambda w: f"{w}\u00df", lambda w: f"{w}ss"),
        "equal but for the order of letters": made(lambda w: w + "qz", lambda w: w + "zq"),
        **{f"{BEGUN}{length} characters": begun(length) for length in PREFIXES},
        ENDED: ended,
        INSIDE: inside,
    }


def confused_by_a_cache(subject: Subject) -> Iterator[Failure]:
    """Tell a cache that gives one text the ids of another, and a list that callers can change."""
    words = _Words()
    lengths = iter(range(1201, 10_000, 37))  # no text of such a length was asked about before
    by_length = _loses(lambda: words.unlike(next(lengths)), subject)
    if by_length:
        yield _confusing("of the same length", by_length)
        return
    pairs = {}
    for how, make in _relations().items():
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
    first = next((how for how in ways if how.startswith(BEGUN)), "")
    if first in [f"{BEGUN}{length} characters" for length in PREFIXES[:2]]:
        return [first]
    if first:
        ways = [how for how in ways if how == first or not how.startswith((BEGUN, INSIDE))]
    if ENDED in ways:
        ways = [how for how in ways if how not in (CASE, SPACE_BEFORE, INSIDE)]
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


def _hashed(words: _Words, subject: Subject) -> Pair | None:
    """Two unlike texts with one list of ids, which are right for the one asked first."""
    first: dict[tuple[int, ...], str] = {}
    for _ in range(MANY):
        text = words.letters(9)
        ids = subject.try_encode(text)
        if ids and first.setdefault(tuple(ids), text) != text:
            before = first[tuple(ids)]
            if _is_right(ids, before, subject):
                return before, text
    return None


def _confusing(what: str, pair: Pair) -> Failure:
    message = f"a cache gives a text the ids of another, asked about before, for texts {what}"
    by = f"a cache that confuses texts {what}"
    cause = Cause("state", (("by", by),), message=message)
    return Failure(cause, text=pair[1], evidence={"asked before": pair[0]})


def _shared_list(words: _Words, subject: Subject) -> Iterator[Failure]:
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
