"""Characters of a known fault, which every other round leaves out so that other faults show.

If many texts fail, most new failures have the same cause. A character that occurs in several
failing texts and in no passing text is excluded until a text that contains it passes.
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

MIN_SHARE, MAX_SHARE = 0.03, 0.9
"""Share of failing texts: below it no other fault is hidden, above it nothing can be inferred."""

MIN_TEXTS = 2
MAX_LENGTH = 400


def update_excluded(
    batches: Sequence[Batch], results: Sequence[UnitResult], excluded: str
) -> dict[str, Any]:
    """Return the characters to exclude now, and which of the ``excluded`` ones to readmit."""
    failing = {text for result in results for texts in result.failing.values() for text in texts}
    texts = [text for batch in batches for text in batch.texts if len(text) <= MAX_LENGTH]
    passing = set("".join(text for text in texts if text not in failing))
    counts: Counter[str] = Counter()
    if texts and MIN_SHARE <= len(failing) / len(texts) <= MAX_SHARE:
        counts.update(chain.from_iterable(map(set, failing)))
    suspects = [
        character
        for character, count in counts.items()
        if count >= MIN_TEXTS and character not in passing
    ]
    return {
        "excluded": "".join(sorted(suspects)),
        "readmitted": "".join(sorted(passing.intersection(excluded))),
    }
