"""Reach of the tokens of the longest match on bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.reach.byte_level import ByteLevelReach
from tokharness_tokenizers.reach.words import (
    LONGER_TAKEN,
    MERGED_WITH_NEIGHBOURS,
    NO_MERGES,
    OTHER_ID,
)
from tokharness_tokenizers.reference.splitting import join_surrogates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness_tokenizers.reference.base import Reach
    from tokharness_tokenizers.reference.longest_match import LongestMatch

REASONS = {MERGED_WITH_NEIGHBOURS: LONGER_TAKEN, NO_MERGES: LONGER_TAKEN}
"""The reasons of a model that merges, in the words of a model that takes the longest token."""


def reach_of(tokenizer: LongestMatch) -> Reach:
    """Return the function that looks for a text with a token, or proves that there is none."""
    model, other_ids = tokenizer.model, tokenizer.other_ids

    def ids(data: bytes) -> Sequence[int]:
        try:
            return model.encode(data)
        except KeyError:  # no token begins with a byte of the text
            return []

    tokens = {number: token for token, number in model.ids.items()}
    found = ByteLevelReach(tokens, ids, lambda text: ids(join_surrogates(text).encode()))

    def reach(number: int) -> tuple[str, str]:
        if number in other_ids:
            return "", OTHER_ID
        text, reason = found.reach(number)
        return text, REASONS.get(reason, reason)

    return reach
