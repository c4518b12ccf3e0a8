"""What a text costs a target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.calls import decoded_each, encoded_each
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = ["count_single_token_words", "text_cost"]


def text_cost(text: str, subject: Subject) -> dict[str, Any]:
    """Count a text: ``characters``, ``bytes``, ``tokens``, and whether the ``same`` comes back.

    ``tokens`` is None where the target raised.
    """
    (ids,) = encoded_each([text], subject)
    raised = isinstance(ids, Raised)
    return {
        "characters": len(text),
        "bytes": len(text.encode()),
        "tokens": None if raised else len(ids),
        "same": not raised and decoded_each([ids], subject) == [text],
    }


def count_single_token_words(words: Sequence[str], subject: Subject) -> int:
    """Count the words that are one token behind a space."""
    rows = encoded_each([f" {word}" for word in words], subject)
    return sum(not isinstance(ids, Raised) and len(ids) == 1 for ids in rows)
