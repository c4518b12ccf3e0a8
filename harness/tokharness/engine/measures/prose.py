"""Tokens of a page of English prose.

``{"characters", "bytes", "tokens", "lossless", "lost", "words", "single_token_words"}``: ``tokens``
is null if the target raised; ``lossless`` is whether the page round-trips, and ``lost`` what it
loses; ``words`` counts different words, and ``single_token_words`` those that are one token after
another word and a space.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import regex

from tokharness.diagnosis.probes.running_text import page
from tokharness.engine.worker.token_columns import count_single_token_words, text_cost

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["measure"]


def measure(subject: Subject) -> dict[str, Any]:
    """Count the tokens of the page, and its words that are one token."""
    words = list(dict.fromkeys(regex.findall(r"[A-Za-z]+", page())))
    return {
        **text_cost(page(), subject),
        "words": len(words),
        "single_token_words": count_single_token_words(words, subject),
    }
