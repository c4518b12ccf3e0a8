"""A SentencePiece model: the protocol buffer ``ModelProto``.

Source: ``sentencepiece_model.proto``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness_tokenizers import libraries
from tokharness_tokenizers.vocabularies.file_heads import read_head

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.reference.sentencepiece.tokenizer import SentencePiece

__all__ = ["FILE_NAME", "WORDS", "library", "load", "matches"]

WORDS = "a SentencePiece model"
FILE_NAME = "tokenizer.model"
PIECES = 3
"""Pieces that are examined."""

_PIECE_END = re.compile(rb"(?:\x15.{4})?(?:\x18[\x01-\x06])?", re.DOTALL)
"""The score and the type of a piece."""


def matches(path: Path) -> bool:
    """Whether a file begins with pieces, the first field of a ``ModelProto``."""
    data = read_head(path)
    for _ in range(PIECES):
        tag, size, text_tag, length, *_ = (*data[:4], *bytes(4))
        piece, data = data[2 : 2 + size], data[2 + size :]
        text, end = piece[2 : 2 + length], piece[2 + length :]
        is_piece = tag == text_tag == 0x0A and len(text) == length > 0
        if not (is_piece and _PIECE_END.fullmatch(end)):
            return False
    return True


def load(path: Path) -> SentencePiece:
    """Read a file; raises ValueError or OSError."""
    from tokharness_tokenizers.reference.sentencepiece import reading

    return reading.load(path)


def library(path: Path) -> str | None:
    """Return the spec of the library ``sentencepiece``; None if it is not installed."""
    return libraries.spec("sentencepiece", "sentencepiece", path)
