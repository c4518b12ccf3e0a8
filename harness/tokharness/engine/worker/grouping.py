"""From many failing texts to few causes.

Each failing text comes with the causes that may explain it. The answer is a small set of causes
that explains them all: the cause that explains most is taken, then the one that explains most of
the rest, and so on (greedy set cover). So a text that NFC, NFKC or two dropped characters explain
alike goes to the cause that the other texts prove.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Cause

__all__ = ["DiagnosedText", "Group", "group_by_cause"]


@dataclass(frozen=True, slots=True)
class DiagnosedText:
    """A text that failed a check, and the causes that may explain it, the narrowest first."""

    text: str
    family: str
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A cause and the failing texts it explains."""

    cause: Cause
    members: tuple[DiagnosedText, ...]

    @property
    def families(self) -> tuple[str, ...]:
        """Names of the families that show the cause."""
        return tuple(sorted({member.family for member in self.members}))


def group_by_cause(failing: Sequence[DiagnosedText]) -> list[Group]:
    """Causes with the texts they explain, each text in one group, the largest group first.

    Among causes that explain equally many texts the one that stands first among the most texts'
    candidates is taken, so that the narrowest explanation wins; then the alphabet decides.
    """
    explained: dict[Cause, list[int]] = {}
    places: Counter[Cause] = Counter()
    for number, one in enumerate(failing):
        for place, cause in enumerate(dict.fromkeys(one.causes)):
            explained.setdefault(cause, []).append(number)
            places[cause] += place
    counts = {cause: len(numbers) for cause, numbers in explained.items()}
    names = {cause: str(cause) for cause in explained}

    def worth(cause: Cause) -> tuple[int, int, str]:
        return -counts[cause], places[cause], names[cause]

    # A cause only loses worth, so one that is still worth what it was on the heap is the best.
    heap = [(worth(cause), order, cause) for order, cause in enumerate(explained)]
    heapq.heapify(heap)
    covered = [False] * len(failing)
    groups = []
    while heap:
        was, order, best = heapq.heappop(heap)
        if not counts[best]:
            continue
        if was != worth(best):
            heapq.heappush(heap, (worth(best), order, best))
            continue
        numbers = [number for number in explained[best] if not covered[number]]
        groups.append(Group(best, tuple(failing[number] for number in numbers)))
        for number in numbers:
            covered[number] = True
            for place, cause in enumerate(dict.fromkeys(failing[number].causes)):
                counts[cause] -= 1
                places[cause] -= place
    return groups
