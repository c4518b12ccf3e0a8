"""Turns fullwidth ASCII into plain ASCII and nothing else: disguised markup becomes markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import changing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "replaced characters: U+FF0")
FAMILIES = ("normal-forms",)
AGAINST = "none"


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return changing(
        lambda text: text.translate({point: point - 0xFEE0 for point in range(0xFF01, 0xFF5F)})
    )
