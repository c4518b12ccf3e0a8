"""From many failing texts to few causes.

Each failing text comes with the causes that may explain it. The answer is a small set of causes
that explains them all: the cause that explains most is taken, then the one that explains most of
the rest, and so on (greedy set cover). So a text that NFC, NFKC or two dropped characters explain
alike goes to the cause that the other texts prove.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Cause

__all__ = ["Failing", "Group", "group"]


@dataclass(frozen=True, slots=True)
class Failing:
    """A text that failed a check, and the causes that may explain it, the narrowest first."""

    text: str
    family: str
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A cause and the failing texts it explains."""

    cause: Cause
    members: tuple[Failing, ...]

    @property
    def families(self) -> tuple[str, ...]:
        """Names of the families that show the cause."""
        return tuple(sorted({member.family for member in self.members}))


def group(failing: Sequence[Failing]) -> list[Group]:
    """Causes with the texts they explain, each text in one group, the largest group first.

    Among causes that explain equally many texts the one that stands first among the most texts'
    candidates is taken, so that the narrowest explanation wins; then the alphabet decides.
    """
    rest = list(failing)
    groups = []
    while rest:
        counts = Counter(cause for one in rest for cause in one.causes)
        places: Counter[Cause] = Counter()
        for one in rest:
            for place, cause in enumerate(one.causes):
                places[cause] += place
        best = min(counts, key=lambda cause: (-counts[cause], places[cause], str(cause)))
        groups.append(Group(best, tuple(one for one in rest if best in one.causes)))
        rest = [one for one in rest if best not in one.causes]
    return groups
