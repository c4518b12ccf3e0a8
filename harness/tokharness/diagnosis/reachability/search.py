"""Encode texts that may hold tokens, and note the tokens that they hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokharness.diagnosis.probes.calls import encode_all
from tokharness.diagnosis.reachability.contexts import texts_with_neighbours
from tokharness.diagnosis.reachability.states import IN_CONTEXT, Reach
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["Search"]

MOST_AT_ONCE = 2000
"""Tokens for which texts of neighbours are made at a time."""


@dataclass
class Search:
    """What was found so far.

    Attributes:
        subject: The target is the one that encodes.
        reach: The tokens that a text gives.
        tried: How many texts were tried for each token, its own one among them.

    """

    subject: Subject
    reach: dict[int, Reach]
    tried: Counter[int] = field(default_factory=Counter)

    def try_texts(self, texts: Mapping[int, Sequence[str]]) -> None:
        """Encode the first text of each token, then the second of those that are left, and so on.

        The first texts give most tokens, so that few texts of the others are encoded.
        """
        place, left = 0, {number: row for number, row in texts.items() if row}
        while left:
            rows = encode_all([row[place] for row in left.values()], self.subject)
            for (number, row), ids in zip(left.items(), rows, strict=True):
                self.tried[number] += 1
                if not isinstance(ids, Raised) and number in ids:
                    self.reach[number] = Reach(IN_CONTEXT, row[place])
            place += 1
            left = {
                number: row
                for number, row in left.items()
                if number not in self.reach and len(row) > place
            }

    def try_neighbours(self, numbers: Sequence[int]) -> None:
        """Try texts of each token with other tokens around it, as the target decodes them."""
        for start in range(0, len(numbers), MOST_AT_ONCE):
            part = numbers[start : start + MOST_AT_ONCE]
            rows = texts_with_neighbours(self.subject, part)
            self.try_texts(dict(zip(part, rows, strict=True)))
