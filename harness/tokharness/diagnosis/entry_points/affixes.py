"""Prefix and suffix ids that an entry point adds to every text, such as BOS and EOS."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from tokharness.diagnosis.probes.calls import encode_all
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["PROBES", "AffixIds", "affix_ids", "text_slice", "without_affixes"]

PROBES = ("a", "1", ".", "\u4e2d")
"""Plain texts that share no character, so that all shared ids are added ones."""

AffixIds = tuple[list[int], list[int]]
"""Ids before and after those of the text itself."""


def affix_ids(subject: Subject, entry_point: str = "") -> AffixIds:
    """Ids that an entry point adds to every text; without a name, the one for plain text."""

    def compute() -> AffixIds:
        results = encode_all(PROBES, subject, entry_point)
        rows = [ids for ids in results if not isinstance(ids, Raised)]
        prefix = _shared_start(rows)
        return prefix, _shared_start([ids[len(prefix) :][::-1] for ids in rows])[::-1]

    return subject.cache.get_or_compute(f"ids of every text {entry_point}", compute)


def without_affixes(ids: list[int], subject: Subject, entry_point: str = "") -> list[int]:
    """Ids from an entry point without those that it adds to every text."""
    return ids[text_slice(ids, subject, entry_point)]


def text_slice(ids: list[int], subject: Subject, entry_point: str = "") -> slice:
    """Position of the text's own ids among those that an entry point gives."""
    prefix, suffix = affix_ids(subject, entry_point)
    start = len(prefix) if ids[: len(prefix)] == prefix else 0
    has_suffix = suffix and ids[start:][-len(suffix) :] == suffix
    return slice(start, len(ids) - len(suffix) if has_suffix else len(ids))


def _shared_start(rows: list[list[int]]) -> list[int]:
    """Ids that all rows begin with; empty if there are fewer than two rows."""
    if len(rows) < 2:
        return []
    same = takewhile(lambda column: len(set(column)) == 1, zip(*rows, strict=False))
    return [column[0] for column in same]
