"""Characters of a fault that is known: every other round does without, so that others show.

Where a good part of all texts fails, what is found next is mostly the same again. A character that
is in several failing texts, and in none that passes, is suspect until one passes that has it.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.engine.worker.batches import UnitResult
    from tokharness.model import Batch

__all__ = ["update_excluded"]

FEWEST, MOST = 0.03, 0.9
"""Share of texts that fail: of fewer the others are not hidden, of more nothing can be told."""

OFTEN = 2
LONGEST = 400


def update_excluded(
    batches: Sequence[Batch], done: Sequence[UnitResult], avoided: str
) -> dict[str, Any]:
    """Tell which characters are suspect now, and which of those avoided are not."""
    failing = {text for tried in done for texts in tried.failing.values() for text in texts}
    texts = [text for batch in batches for text in batch.texts if len(text) <= LONGEST]
    passing = set("".join(text for text in texts if text not in failing))
    found: Counter[str] = Counter()
    if texts and FEWEST <= len(failing) / len(texts) <= MOST:
        found.update(chain.from_iterable(map(set, failing)))
    suspect = [one for one, times in found.items() if times >= OFTEN and one not in passing]
    return {
        "excluded": "".join(sorted(suspect)),
        "readmitted": "".join(sorted(passing.intersection(avoided))),
    }
