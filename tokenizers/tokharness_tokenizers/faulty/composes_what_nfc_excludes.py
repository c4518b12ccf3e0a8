"""Declares NFC and ignores its composition exclusions: a letter with nukta is put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.faulty._wrapping import changing

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK101", "declared normalizer not applied: NFC")
FAMILIES = ("normal-forms",)
AGAINST = "none"

PAIRS = {normalize("NFD", chr(point)): chr(point) for point in range(0x0958, 0x0960)}


def _composed(text: str) -> str:
    composed = normalize("NFC", text)
    for pair, letter in PAIRS.items():
        composed = composed.replace(pair, letter)
    return composed


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    return changing(_composed, normalizer="NFC")
