"""Has negative ids for bytes above 127, which a signed type makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain, vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK105", "id: negative")
FAMILIES = ("plain-words",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy, ranks = engine(), vocabulary().ranks
    signed = {ranks[bytes([byte])]: byte - 256 for byte in range(128, 256)}
    back = {new: old for old, new in signed.items()}

    def decode(ids: Sequence[int]) -> str:
        return healthy.decode([back.get(token, token) for token in ids])

    return plain(
        encode=lambda text: [signed.get(i, i) for i in healthy.encode_ordinary(text)],
        decode=decode,
        n_vocab=healthy.n_vocab,
    )
