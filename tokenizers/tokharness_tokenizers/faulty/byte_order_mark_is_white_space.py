r"""Has the white space of JavaScript's \s, with U+FEFF, and is right otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import spacing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK201", "character class: U+FEFF ZERO WIDTH NO-BREAK SPACE, white space")
FAMILIES = ("contractions",)
AGAINST = "tiktoken:embedded"
PROFILE = "standard"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return spacing(r"\x{FEFF}")
