"""Maps the turn of another model's template to its own, which nobody escapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import special

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK103", "special token: other text")
FAMILIES = ("chat-templates",)
AGAINST = "none"
LONGEST = 20


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return special(lambda text: text.replace("<start_of_turn>", "<|im_start|>"))
