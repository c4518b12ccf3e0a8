"""Special ids that stand for text outside the vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["unknown_ids"]

RARE = ("\u1342", "\ua92e\u2e0f", "\u16a6", "\U00010330")
"""Letters and marks that few vocabularies have, and that no normalizer drops."""


def unknown_ids(subject: Subject) -> frozenset[int]:
    """Special ids that stand for text outside the vocabulary: different rare texts get them."""

    def compute() -> frozenset[int]:
        always = set(subject.encode("") or [])
        rows = [set(subject.encode(text) or []) - always for text in RARE]
        rows = [ids for ids in rows if ids]
        special = frozenset(subject.special_tokens.values())
        return special.intersection(*rows) if rows else frozenset()

    return subject.cache.get_or_compute("unknown ids", compute)
