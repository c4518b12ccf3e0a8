"""Ids that stand for text outside the vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

RARE = ("\u1342", "\ua92e\u2e0f", "\u16a6", "\U00010330")
"""Letters and marks that few vocabularies have, and that no normalizer drops."""


def unknown_ids(subject: Subject) -> frozenset[int]:
    """Special ids, and the id that the model declares, if different rare texts get them.

    A large vocabulary has tokens for some rare texts, which then do not get the unknown id.
    """

    def compute() -> frozenset[int]:
        always = set(subject.encode("") or [])
        declared = {*subject.special_tokens.values(), subject.target.unknown_id}
        special = frozenset(number for number in declared if number is not None) - always
        rows = [special.intersection(subject.encode(text) or ()) for text in RARE]
        rows = [ids for ids in rows if ids]
        return special.intersection(*rows) if len(rows) > 1 else frozenset()

    return subject.cache.get_or_compute("unknown ids", compute)
