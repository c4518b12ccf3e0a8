"""The seams of byte-level BPE that a pattern cuts: tiktoken, and its descendants."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tokharness_tokenizers.seams.certificate import Bounds, Proof, special_tokens
from tokharness_tokenizers.seams.of_merges import changed_by_ranks
from tokharness_tokenizers.seams.of_pre_tokenizers import pattern_stage
from tokharness_tokenizers.seams.stages import NotKnownError

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.byte_bpe import ByteBPE


def seams_of(tokenizer: ByteBPE) -> Proof:
    """Return what is proven of the cuts of a tokenizer."""
    added = special_tokens(tokenizer.special_tokens)
    changed = partial(changed_by_ranks, tokenizer.ranks)
    try:
        stage, automaton = pattern_stage(
            tokenizer.pattern, tokenizer.unicode_version, "pre-token pattern"
        )
        is_total = automaton.is_total
        bounds = Bounds(pretokens=automaton.most_undecided if is_total else None)
        moved = automaton.most_moved if is_total else None
    except NotKnownError as error:
        return Proof(tokenizer.encode_ordinary, (), str(error), added, changed=changed)
    encode = tokenizer.encode_ordinary
    return Proof(encode, [stage], "", added, bounds, changed=changed, moved=moved)
