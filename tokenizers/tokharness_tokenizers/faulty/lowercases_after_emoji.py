"""Lowers every text after the first emoji it sees: a flag that nobody takes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "DEADLY", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "state")
FAMILIES = (
    "emoji",
    "letter-case",
)
AGAINST = "none"
DEADLY = True  # told as state only where a fresh process can be asked


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    seen, encode = set[str](), engine().encode_ordinary

    def stateful(text: str) -> list[int]:
        ids = encode(text.lower() if seen else text)
        seen.update(text[:1] if "\U0001f600" in text else "")
        return ids

    return plain(encode=stateful)
