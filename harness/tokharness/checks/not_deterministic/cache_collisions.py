"""Caches whose key confuses two texts, and lists that a target shares with its caller.

New random words are encoded in pairs that are equal except in one way. If a cache confuses the two
words of a pair, the word encoded first gets its own ids and the second gets the same ids; with
another pair in the reverse order, the other word gets wrong ids. A normalizer changes the same word
in both orders, so it is not mistaken for a cache.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from tokharness.diagnosis.comparisons import compared
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
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.targets.subject import Subject

MAX_RELATIONS = 4

HASH_SAMPLES, MIN_PROOFS = 2000, 8
"""Unrelated texts to search for two with the same hash, and collisions that prove such a cache."""


def cache_collision_failures(subject: Subject) -> Iterator[Failure]:
    """Find a cache that confuses texts, and a cached list that callers can change."""
    words = RandomWords()
    lengths = iter(range(1201, 10_000, 37))  # lengths that no text has had before
    by_length = _confused_pair(lambda: words.unlike_pair(next(lengths)), subject)
    if by_length:
        yield _collision_failure("of the same length", by_length, subject)
        return
    pairs = {}
    for relation, make in pair_makers().items():
        pair = _confused_pair(functools.partial(make, words), subject)
        if pair is not None:
            pairs[relation] = pair
    if pairs:
        relations = _independent_relations(list(pairs))
        yield _collision_failure(" or ".join(relations), pairs[relations[0]], subject)
    elif unrelated := _hash_collision(words, subject):
        yield _collision_failure("that have nothing in common", unrelated, subject)
    yield from _shared_list_failures(words, subject)


def _independent_relations(relations: list[str]) -> list[str]:
    """Leave out relations that follow from another relation in the list."""
    start = next((name for name in relations if name.startswith(SAME_START)), "")
    if start in [f"{SAME_START}{length} characters" for length in PREFIXES[:2]]:
        return [start]
    if start:
        longer = (SAME_START, SAME_ENDS_AND_LENGTH)
        relations = [name for name in relations if name == start or not name.startswith(longer)]
    if SAME_END in relations:
        implied = (CASE, SPACE_BEFORE, SAME_ENDS_AND_LENGTH)
        relations = [name for name in relations if name not in implied]
    return relations[:MAX_RELATIONS]


def _confused_pair(make: Callable[[], Pair], subject: Subject) -> Pair | None:
    """A pair whose second word gets the ids of the first, if a reversed pair behaves likewise."""
    first, second = make()
    if not _gets_ids_of(first, second, subject):
        return None
    new_second, new_first = make()
    return (first, second) if _gets_ids_of(new_first, new_second, subject) else None


def _gets_ids_of(first: str, second: str, subject: Subject) -> bool:
    """Whether the second text gets the ids of the first, which are correct for the first."""
    if subject.expected_text(first) == subject.expected_text(second):
        return False
    ids, ids_of_second = subject.encode(first), subject.encode(second)
    return bool(ids) and ids == ids_of_second and _is_correct(ids, first, subject)


def _is_correct(ids: list[int] | None, text: str, subject: Subject) -> bool:
    return subject.decode(ids or []) == subject.expected_text(text)


def _hash_collision(words: RandomWords, subject: Subject) -> Pair | None:
    """Two unrelated texts with the same ids, which are correct for the text encoded first.

    The first text may come from before this search. Then the ids of several collisions decode to
    texts with letters that the encoded words lack, and the decoded longer texts do not contain
    these texts, as they would if the letters stood for unknown characters.
    """
    first: dict[tuple[int, ...], str] = {}
    earlier: dict[str, str] = {}
    for _ in range(HASH_SAMPLES):
        text = words.letters(9)
        ids = subject.encode(text)
        if ids and first.setdefault(tuple(ids), text) != text:
            before = first[tuple(ids)]
            if _is_correct(ids, before, subject):
                return before, text
            decoded = subject.decode(ids) or ""
            foreign = set(decoded) - set(before) and set(decoded) - set(text)
            if foreign and not _is_part_of_longer(decoded, text, subject):
                earlier[decoded] = text
        if len(earlier) == MIN_PROOFS:
            break
    proofs = [pair for pair in earlier.items() if _shares_ids(pair, subject)]
    return proofs[0] if len(proofs) == MIN_PROOFS else None


def _is_part_of_longer(decoded: str, text: str, subject: Subject) -> bool:
    """Whether the decoded text is part of what the doubled text decodes to, as without a cache."""
    longer = subject.decode(subject.encode(text * 2) or [])
    return longer is None or decoded in longer


def _shares_ids(pair: Pair, subject: Subject) -> bool:
    """Whether both texts of a pair still have the same ids."""
    ids, others = map(subject.encode, pair)
    return bool(ids) and ids == others


def _collision_failure(what: str, pair: Pair, subject: Subject) -> Failure:
    message = f"a cache gives a text the ids of an earlier text; it confuses texts {what}"
    by = f"a cache that confuses texts {what}"
    cause = Cause("state", (("by", by),), message=message)
    first, second = pair
    decoded = subject.decode(subject.encode(second) or [])
    # The second text has the ids of the first text, so they decode to the first text.
    evidence = {"encoded before": first, **compared(decoded, second, subject)}
    return Failure(cause, text=second, evidence=evidence)


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
