"""Ids that a target adds to every text, and its reference does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.model import Cause

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["Affixes", "reference_affixes"]

WORDS = ("word", "the")


@dataclass(frozen=True, slots=True)
class Affixes:
    """Ids that the target adds to every text, and the reference does not."""

    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()

    def without(self, ids: list[int]) -> list[int]:
        """Remove the affixes; if they are not around the ids, return all ids."""
        start, end = len(self.before), len(ids) - len(self.after)
        if start > end or (*ids[:start], *ids[end:]) != (*self.before, *self.after):
            return ids
        return ids[start:end]

    @property
    def cause(self) -> Cause:
        """The cause of texts whose ids differ by the affixes alone."""
        parameters = (("before", str(list(self.before))), ("after", str(list(self.after))))
        message = "every text gets ids before or after its own that the reference does not add"
        return Cause("ids around every text", parameters, message=message)


def reference_affixes(subject: Subject) -> Affixes:
    """Ids around those of two different words, if they are the same for both."""

    def compute() -> Affixes:
        affixes = {
            _affixes_of_word(subject.encode(word) or [], subject.reference_ids(word) or [])
            for word in WORDS
        }
        return affixes.pop() if len(affixes) == 1 else Affixes()

    return subject.cache.get_or_compute("ids around every text", compute)


def _affixes_of_word(ids: list[int], wanted: list[int]) -> Affixes:
    for start in range(len(ids) - len(wanted) + 1):
        if ids[start : start + len(wanted)] == wanted:
            return Affixes(tuple(ids[:start]), tuple(ids[start + len(wanted) :]))
    return Affixes()
