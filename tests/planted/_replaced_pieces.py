"""Healthy SentencePiece models, of which one part is replaced by a faulty one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from planted._sentencepiece_models import healthy

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness_tokenizers.reference.sentencepiece.tokenizer import SentencePiece


def with_normalizing(name: str, **changes: Any) -> Any:
    """Change fields of the normalizer of a healthy model."""
    tokenizer = healthy(name)
    return replace(tokenizer, normalizing=replace(tokenizer.normalizing, **changes), altered=None)


def with_model(name: str, make: Callable[[Any], Any]) -> Any:
    """Make another algorithm of that of a healthy model."""
    tokenizer = healthy(name)
    return replace(tokenizer, model=make(tokenizer.model), altered=None)


def with_decoding(name: str, **changes: Any) -> Any:
    """Change fields of the decoder of a healthy model."""
    tokenizer = healthy(name)
    return replace(tokenizer, decoding=replace(tokenizer.decoding, **changes), altered=None)


def as_kind(name: str, kind: type[SentencePiece]) -> Any:
    """Make the tokenizer of a healthy model, of another class."""
    tokenizer = healthy(name)
    return kind(
        tokenizer.name,
        tokenizer.vocabulary,
        tokenizer.normalizing,
        tokenizer.model,
        tokenizer.decoding,
    )
