"""Sequences of ids that target and reference decode, for a comparison of what they give."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.ids.compared_decoding import comparable_ids, contradicted_ids
from tokharness.diagnosis.probes.id_sequences import invalid_ids

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["all_sequences", "cut_sequences", "ids_without_token"]

PACKED = 128
"""Ids of a sequence in which ids of the vocabulary are decoded together."""

TEXTS = (
    "a",
    "b c",
    " the",
    "caf\u00e9",
    "\u4e2d\u6587",
    "\U0001f9ff",
    "\n\n x",
    "don't",
    "e\u0301",
)
SEQUENCES, LONGEST, MOST_SPECIAL = 300, 12, 256


def cut_sequences(ids: Sequence[Any]) -> list[list[Any]]:
    """Return the ids without the first one, and without the last one."""
    return [list(ids[1:]), list(ids[:-1])]


def all_sequences(subject: Subject) -> Iterator[list[Any]]:
    """All ids, packed; special ids alone and between two letters; random and cut sequences."""
    contradicted = contradicted_ids(subject)
    special = sorted(set(subject.special_tokens.values()) - contradicted)
    numbers = set(comparable_ids(subject)) - contradicted
    encoded = [ids for text in TEXTS if (ids := subject.encode(text)) is not None]
    rows = [ids for ids in encoded if contradicted.isdisjoint(ids)]
    ordinary = sorted(numbers.difference(special)) or sorted({i for ids in rows for i in ids})
    for start in range(0, len(ordinary), PACKED):
        yield ordinary[start : start + PACKED]
    letter = rows[0] if rows else []
    for number in special[:: -(-len(special) // MOST_SPECIAL) or 1] + special[-1:]:
        yield from ([number], [*letter, number, *letter])
    yield []
    for ids in rows:
        yield from (ids, *cut_sequences(ids), *([number] for number in ids))
    draw = random.Random(202)
    for _ in range(SEQUENCES if ordinary else 0):
        yield draw.choices(ordinary, k=draw.randint(1, LONGEST))


def ids_without_token(subject: Subject) -> list[int]:
    """Ids outside the vocabularies of both sides."""
    size = len(comparable_ids(subject))
    invalid = {number for numbers in invalid_ids(subject).values() for number in numbers}
    return sorted(n for n in invalid | {size, size + 1} if not 0 <= n < size)
