"""Cleans spaces before punctuation up, as one library does by default: code and French change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import decoding

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "normalizer: spaces before punctuation cleaned up")
FAMILIES = ("leading-space",)
AGAINST = "none"

CLEANED = (
    *((" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't")),
    *((" 'm", "'m"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re")),
)


def _clean(text: str) -> str:
    for spaced, joined in CLEANED:
        text = text.replace(spaced, joined)
    return text


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return decoding(_clean)
