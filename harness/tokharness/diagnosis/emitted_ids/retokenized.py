"""Decode sequences of ids, and encode their texts again."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from tokharness.boundary.values import all_exact
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.diagnosis.special.unknown_ids import unknown_ids
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = ["Retokenized", "retokenize"]


@dataclass(frozen=True, slots=True)
class Retokenized:
    """A sequence of ids, its text, and the ids of that text, without those of every text."""

    ids: list[Any]
    text: str
    again: list[Any]

    @property
    def changed(self) -> bool:
        """Whether the ids change."""
        return self.ids != self.again

    @property
    def reach(self) -> int:
        """How many ids, counted from the end, are those from the first change on."""
        same = takewhile(lambda pair: pair[0] == pair[1], zip(self.ids, self.again, strict=False))
        return len(self.ids) - len(list(same))

    def in_words(self) -> str:
        """Say which ids become which."""
        before, after = (", ".join(map(str, ids)) for ids in (self.ids, self.again))
        return f'the text "{self.text}" of ids {before} is encoded as {after or "no ids"}'


def retokenize(rows: Sequence[list[int]], subject: Subject) -> list[Retokenized]:
    """Decode each row and encode its text.

    Left out are rows on which the target raises, and texts with a special id or one that is not an
    integer, since other checks report these.
    """
    special = frozenset(subject.special_tokens.values()) - unknown_ids(subject)
    texts = decode_all(rows, subject)
    decoded = [(r, t) for r, t in zip(rows, texts, strict=True) if not isinstance(t, Raised)]
    encoded = encode_all([text for _, text in decoded], subject)
    results = []
    for (ids, text), again in zip(decoded, encoded, strict=True):
        if isinstance(again, Raised) or not all_exact(again, int):
            continue
        own = without_affixes(again, subject)
        if special.isdisjoint(own):
            results.append(Retokenized(ids, text, own))
    return results
