"""Has no rule for the 31 titlecase letters, and drops text that no rule of the pattern matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import splitting

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "dropped characters: U+01C5")
FAMILIES = ("letter-case",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return splitting((r"\p{Lt}", ""))
