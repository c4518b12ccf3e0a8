"""The seams of the longest match on bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.seams.certificate import Bounds, Proof
from tokharness_tokenizers.seams.of_models import stage_of_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reference.longest_match import LongestMatch


def seams_of(tokenizer: LongestMatch) -> Proof:
    """Return what is proven of the cuts of a tokenizer."""
    ids = tokenizer.model.ids
    stage = stage_of_bytes(ids, "longest match")
    return Proof(tokenizer.encode, [stage], bounds=_bounds(ids))


def _bounds(ids: Mapping[bytes, int]) -> Bounds:
    """Return how much the first bytes of a token, at the end of a text, may be.

    A token is decided if no longer token begins with all that is left of the text at its start. So
    only what the beginning of a longer token is cut into may change.
    """
    longest = max(map(len, ids))
    beginnings = {token[:size] for token in ids for size in range(1, len(token))}
    tokens = max((_count(data, ids, longest) for data in beginnings), default=0)
    characters = max((len(data.decode("utf-8", "replace")) for data in beginnings), default=0)
    return Bounds(tokens=tokens, characters=characters)


def _count(data: bytes, ids: Mapping[bytes, int], longest: int) -> int:
    """Return the number of tokens of bytes; a byte without a token counts as one."""
    at = found = 0
    while at < len(data):
        sizes = range(min(longest, len(data) - at), 1, -1)
        at += next((size for size in sizes if data[at : at + size] in ids), 1)
        found += 1
    return found
