"""Encodings of words after spaces and similar: ``[{"word", "encodings": [encoding, ...]}]``.

The encodings are those of the word after each of ``PREFIXES``, in that order.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from tokharness.engine.worker.token_columns import encodings

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["PREFIXES", "WORDS", "measure"]

PREFIXES = ("", " ", "  ", "\t", "\n", "\u00a0", "\u3000", "\u2581", "\u0120")
WORDS = ("the", "Hello", "tokenizer", "caf\u00e9", "\u4e2d\u6587", "\u0434\u043e\u043c", "42")


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Encode each word after each prefix."""
    rows = encodings([prefix + word for word, prefix in product(WORDS, PREFIXES)], subject)
    size = len(PREFIXES)
    return [
        {"word": word, "encodings": rows[number * size : (number + 1) * size]}
        for number, word in enumerate(WORDS)
    ]
