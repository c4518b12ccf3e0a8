"""What stands before a word and what becomes of it: ``[{"word", "before": [encoding, ...]}]``.

The encodings are those of the word behind each of ``BEFORE``, in that order.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.encodings import encodings

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["BEFORE", "WORDS", "measure"]

BEFORE = ("", " ", "  ", "\t", "\n", "\u00a0", "\u3000", "\u2581", "\u0120")
WORDS = ("the", "Hello", "tokenizer", "caf\u00e9", "\u4e2d\u6587", "\u0434\u043e\u043c", "42")


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Encode each word behind each beginning."""
    found = encodings([before + word for word, before in product(WORDS, BEFORE)], subject)
    rows = [found[at : at + len(BEFORE)] for at in range(0, len(found), len(BEFORE))]
    return [{"word": word, "encodings": row} for word, row in zip(WORDS, rows, strict=True)]
