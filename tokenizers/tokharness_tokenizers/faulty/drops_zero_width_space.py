"""Silently drops U+200B before it encodes, so that a filter and the model read different text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.adapters import tiktoken_engine

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["tokenizer"]


class _DropsZeroWidthSpace:
    def __init__(self) -> None:
        self._inner = tiktoken_engine.load("embedded")

    def encode(self, text: str) -> list[int]:
        return self._inner.encode_ordinary(text.replace("\u200b", ""))

    def decode(self, ids: Sequence[int]) -> str:
        return self._inner.decode(ids)


def tokenizer() -> _DropsZeroWidthSpace:
    """Give a tokenizer that claims to be lossless and is not."""
    return _DropsZeroWidthSpace()
