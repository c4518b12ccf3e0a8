"""Names of the algorithms of tokenizers, for a reader who compares several of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.decoders import ByteLevel

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.components import Model
    from tokharness_tokenizers.reference.decoding import Decoding

BPE, BYTE_LEVEL_BPE, LONGEST_MATCH = "BPE", "byte-level BPE", "longest match"


def algorithm_name(model: Model, decoding: Decoding) -> str:
    """Return the name of a model, and what becomes of characters that it does not have.

    The name is the name of its class: ``Unigram``, ``WordPiece``. A vocabulary is byte-level if its
    tokens are decoded to bytes.
    """
    name = type(model).__name__
    if name == BPE and (decoding.bytes_of or isinstance(decoding.decoder, ByteLevel)):
        return BYTE_LEVEL_BPE
    return f"{name}, byte fallback" if getattr(model, "byte_fallback", False) else name
