"""Group many failing texts by few causes.

Each failing text has the causes that may explain it. A greedy set cover chooses a small set of
causes that explains all texts: first the cause that explains the most texts, then the one that
explains the most of the remaining texts, and so on. So a text that NFC, NFKC or two dropped
characters explain equally well is assigned to the cause that the other texts prove.
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
    """A text that fails a check, and the causes that may explain it, the narrowest first."""

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
        """Names of the families of the texts."""
        return tuple(sorted({member.family for member in self.members}))


def group_by_cause(failing: Sequence[DiagnosedText]) -> list[Group]:
    """Return groups of texts by cause, each text in one group, the largest group first.

    Among causes that explain equally many texts the one that comes first in the lists of candidates
    is chosen, so that the narrowest explanation wins; then the alphabetical order decides.
    """
    explained: dict[Cause, list[int]] = {}
    ranks: Counter[Cause] = Counter()
    for number, text in enumerate(failing):
        for rank, cause in enumerate(dict.fromkeys(text.causes)):
            explained.setdefault(cause, []).append(number)
            ranks[cause] += rank
    counts = {cause: len(numbers) for cause, numbers in explained.items()}
    names = {cause: str(cause) for cause in explained}

    def key(cause: Cause) -> tuple[int, int, str]:
        return -counts[cause], ranks[cause], names[cause]

    # Causes only get worse, so one whose key is the same as on the heap is the best.
    heap = [(key(cause), order, cause) for order, cause in enumerate(explained)]
    heapq.heapify(heap)
    covered = [False] * len(failing)
    groups = []
    while heap:
        pushed_key, order, best = heapq.heappop(heap)
        if not counts[best]:
            continue
        if pushed_key != key(best):
            heapq.heappush(heap, (key(best), order, best))
            continue
        numbers = [number for number in explained[best] if not covered[number]]
        groups.append(Group(best, tuple(failing[number] for number in numbers)))
        for number in numbers:
            covered[number] = True
            for rank, cause in enumerate(dict.fromkeys(failing[number].causes)):
                counts[cause] -= 1
                ranks[cause] -= rank
    return groups
