"""A cache whose key is the same for different texts: the second text gets the ids of the first.

Pairs of fresh random words that are equal but for one thing show which texts the key confuses, in
both orders, which proves that the first word wins. In a new process, too, the second word gets the
ids of the first after it, and different ones alone. A text that is wrong has this cause if the
reference gives its ids to another text with the same key.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import reference_affixes
from tokharness.diagnosis.probes.other_process import ids_in_new_process
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
from tokharness.model import Cause
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from tokharness.targets.subject import Subject

SAME_LENGTH = "of the same length"

ENCODED_BEFORE = "encoded before"
"""Name of the earlier text in the evidence."""

MAX_RELATIONS = 4

HASH_SAMPLES, MIN_PROOFS = 2000, 8
"""Unrelated texts to search for two with the same hash, and collisions that prove such a cache."""

SHORTEST, STEP = 1201, 37
"""Lengths that no text has had before."""

NEW_LENGTHS = (613, 797, 1009)
"""Lengths of words that are tried for a wrong text, so that the others stay new."""

NEW_WORDS, PROCESS = 201, 1
"""Seeds of the words that are tried for a wrong text, and of new processes."""

KEYS: dict[str, tuple[Callable[[str], object], ...]] = {
    CASE: (str.lower, str.casefold),
    SAME_LENGTH: (len,),
}
"""What is equal in two texts, of the relations in which a wrong text is searched."""


def collision_cause(relation: str) -> Cause:
    """Make the cause of a cache that confuses texts with a relation."""
    message = f"a cache gives a text the ids of an earlier text; it confuses texts {relation}"
    return Cause("state", (("by", f"a cache that confuses texts {relation}"),), message=message)


def confused_texts(words: RandomWords, subject: Subject) -> tuple[str, Pair] | None:
    """Return the relation of texts that a cache confuses, with two of them; None without one."""
    if by_length := _confused_by_length(words, SHORTEST, subject):
        return SAME_LENGTH, by_length
    pairs = {}
    for relation, make in pair_makers().items():
        pair = _confused_pair(functools.partial(make, words), subject)
        if pair is not None:
            pairs[relation] = pair
    if pairs:
        relations = _independent_relations(list(pairs))
        return " or ".join(relations), pairs[relations[0]]
    unrelated = _hash_collision(words, subject)
    return None if unrelated is None else ("that have nothing in common", unrelated)


def cache_collision_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the cause of a text with the ids of an earlier text that a cache confuses with it."""
    found = _earlier_text(text, ids, subject)
    return [collision_cause(found[0])] if found else []


def earlier_text(text: str, cause: Cause, subject: Subject) -> dict[str, str]:
    """Return the earlier text whose ids a text has for this cause, as evidence."""
    if cause.kind != "state":
        return {}
    found = _earlier_text(text, subject.encode(text) or [], subject)
    return {ENCODED_BEFORE: found[1]} if found and collision_cause(found[0]) == cause else {}


def _earlier_text(text: str, ids: Sequence[Any], subject: Subject) -> tuple[str, str] | None:
    """Return the relation of texts that a cache confuses, and the text whose ids a text has."""
    earlier = subject.decode(list(ids))
    if not earlier or earlier == text:
        return None
    wanted = subject.reference_ids(earlier)
    if wanted is not None and reference_affixes(subject).without(list(ids)) != wanted:
        return None
    for relation, keys in KEYS.items():
        has_same_key = any(key(earlier) == key(text) for key in keys)
        confuses = functools.partial(_confuses, relation, subject)
        name = f"a cache that confuses texts {relation}"
        if has_same_key and subject.cache.get_or_compute(name, confuses):
            return relation, earlier
    return None


def _confuses(relation: str, subject: Subject) -> bool:
    """Whether a cache confuses new words with this relation, in a new process, too."""
    words = RandomWords(NEW_WORDS)
    pair = (
        next((one for n in NEW_LENGTHS if (one := _confused_by_length(words, n, subject))), None)
        if relation == SAME_LENGTH
        else _confused_pair(functools.partial(pair_makers()[relation], words), subject)
    )
    if pair is None or subject.other_process is None:
        return pair is not None
    first, second = pair
    alone = ids_in_new_process([second], PROCESS, subject)
    after = ids_in_new_process([first, second], PROCESS, subject)
    if not alone or not after:
        return True
    rows = (*alone, *after)
    return not any(isinstance(row, Raised) for row in rows) and rows[0] != rows[1] == rows[2]


def _confused_by_length(words: RandomWords, shortest: int, subject: Subject) -> Pair | None:
    lengths = iter(range(shortest, 10_000, STEP))
    return _confused_pair(lambda: words.unlike_pair(next(lengths)), subject)


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
