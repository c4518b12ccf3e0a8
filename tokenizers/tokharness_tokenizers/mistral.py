"""Mistral's library ``mistral-common``: its objects as targets, and the files that it carries."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers import variants
from tokharness_tokenizers.file_errors import FILE_ERRORS
from tokharness_tokenizers.programs.releases.of_mistral import NOT_CALLED, SentencePiece, Tekken

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.reference.sentencepiece.tokenizer import SentencePiece as Reading


__all__ = ["NOT_CALLED", "Engine", "declaration", "load_sentencepiece", "load_tekken"]


Engine = Tekken | SentencePiece


def load_tekken(path: Path) -> Tekken:
    """Load a Tekken vocabulary; raises what the library raises."""
    engine = Tekken(str(path))
    _add_variants(engine)
    return engine


def load_sentencepiece(path: Path) -> SentencePiece:
    """Load a SentencePiece model, with what it declares; raises what the library raises."""
    engine: Any = SentencePiece(str(path))
    declared = declaration(path)
    engine.added_tokens = declared.added_tokens if declared else {}
    for name in ("normalizer", "normalize", "algorithm"):
        setattr(engine, name, getattr(declared, name, None))
    _add_variants(engine)
    return engine  # type: ignore[no-any-return]


def _add_variants(engine: Any) -> None:
    engine.encode_variants = partial(variants.results, engine.encoders)
    if decoders := getattr(engine, "decoders", None):
        engine.decode_variants = partial(variants.results, decoders)


def declaration(path: Path) -> Reading | None:
    """Return our reading of a model, which says what it declares; None if we cannot read it."""
    from tokharness_tokenizers.reference.sentencepiece import reading

    try:
        return reading.load(path)
    except FILE_ERRORS:
        return None
