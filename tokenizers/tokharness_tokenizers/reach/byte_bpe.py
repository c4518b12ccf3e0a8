"""Reach of the tokens of byte-level BPE, from ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.reach.byte_level import ByteLevelReach
from tokharness_tokenizers.reach.words import words_of_pattern
from tokharness_tokenizers.reference.merge_lists import last_merges

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.base import Orphans, Reach
    from tokharness_tokenizers.reference.byte_bpe import ByteBPE


def reach_of(tokenizer: ByteBPE) -> Reach:
    """Return the function that looks for a text with a token, or proves that there is none."""
    return _found(tokenizer).reach


def merge_orphans_of(tokenizer: ByteBPE) -> Orphans | None:
    """Return the function that finds merge orphans; None for ranks in the order of merges."""
    if last_merges(tokenizer.ranks) is not None:
        return None
    return _found(tokenizer).merge_orphans


def _found(tokenizer: ByteBPE) -> ByteLevelReach:
    return ByteLevelReach(
        {number: token for token, number in tokenizer.ranks.items()},
        tokenizer.merged,
        tokenizer.encode_ordinary,
        words_of_pattern(tokenizer.pattern, tokenizer.unicode_version),
        takes_words=True,
    )
