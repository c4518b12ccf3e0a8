"""Encodes characters beyond the BMP as CESU-8, each half in three bytes, which UTF-8 has not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain, vocabulary

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "replaced characters: characters beyond the BMP")
FAMILIES = ("emoji",)
AGAINST = "none"


def _cesu8(text: str) -> bytes:
    halves = text.encode("utf-16-le", "surrogatepass")
    units = (
        halves[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(halves), 2)
    )
    return b"".join(unit.encode("utf-8", "surrogatepass") for unit in units)


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    ranks, encode = vocabulary().ranks, engine().encode_ordinary

    def ids(text: str) -> list[int]:
        if max(text, default="") <= "\uffff":
            return encode(text)
        return [ranks[bytes([byte])] for byte in _cesu8(text)]

    return plain(encode=ids)
