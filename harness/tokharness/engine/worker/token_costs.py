"""Number of tokens that a target needs for a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = ["count_single_token_words", "text_cost"]


def text_cost(text: str, subject: Subject) -> dict[str, Any]:
    """Return ``characters``, ``bytes`` and ``tokens`` of a text.

    ``tokens`` is None if the target raised. ``same`` is whether the text round-trips.
    """
    (ids,) = encode_all([text], subject)
    raised = isinstance(ids, Raised)
    return {
        "characters": len(text),
        "bytes": len(text.encode()),
        "tokens": None if raised else len(ids),
        "lossless": not raised and decode_all([ids], subject) == [text],
    }


def count_single_token_words(words: Sequence[str], subject: Subject) -> int:
    """Count the words that are a single token after a space."""
    rows = encode_all([f" {word}" for word in words], subject)
    return sum(not isinstance(ids, Raised) and len(ids) == 1 for ids in rows)
