"""Ids that every text gets from an entry point, such as one for its start."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from tokharness.diagnosis.probes.calls import encode_all
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["PROBES", "AffixIds", "affix_ids", "text_slice", "without_affixes"]

PROBES = ("a", "1", ".", "\u4e2d")
"""Plain texts that have nothing in common."""

AffixIds = tuple[list[int], list[int]]
"""Ids that stand before, and after, those of every text."""


def affix_ids(subject: Subject, name: str = "") -> AffixIds:
    """Ids that every text gets from the entry point of that name, or from that for plain text."""

    def found() -> AffixIds:
        asked = encode_all(PROBES, subject, name)
        known = [ids for ids in asked if not isinstance(ids, Raised)]
        before = _shared_start(known)
        return before, _shared_start([ids[len(before) :][::-1] for ids in known])[::-1]

    return subject.remember(f"ids of every text {name}", found)


def without_affixes(ids: list[int], subject: Subject, name: str = "") -> list[int]:
    """Ids from an entry point without those that every text gets from it."""
    return ids[text_slice(ids, subject, name)]


def text_slice(ids: list[int], subject: Subject, name: str = "") -> slice:
    """Where the ids of the text itself stand among those that an entry point gave for it."""
    before, after = affix_ids(subject, name)
    begin = len(before) if ids[: len(before)] == before else 0
    ends = after and ids[begin:][-len(after) :] == after
    return slice(begin, len(ids) - len(after) if ends else len(ids))


def _shared_start(columns: list[list[int]]) -> list[int]:
    """Ids with which all begin; none if there is one only, which shares nothing."""
    if len(columns) < 2:
        return []
    same = takewhile(lambda row: len(set(row)) == 1, zip(*columns, strict=False))
    return [row[0] for row in same]
