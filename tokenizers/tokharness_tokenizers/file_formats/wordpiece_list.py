"""``vocab.txt``, the list of pieces of a WordPiece model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.file_formats._hugging_face import library
from tokharness_tokenizers.vocabularies.file_heads import read_rows

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.reference.pipeline import Pipeline

__all__ = ["FILE_NAME", "RECOGNIZED", "WORDS", "library", "load", "matches", "record"]

WORDS = "a WordPiece vocabulary"
FILE_NAME = "vocab.txt"
RECOGNIZED = True


def matches(path: Path) -> bool:
    """Whether a file has a token a line, and ``[UNK]`` among them."""
    rows = read_rows(path)
    return b"[UNK]" in rows and all(len(row.split()) <= 1 for row in rows)


def load(path: Path) -> Pipeline:
    """Read a list and the settings next to it; raises ValueError or OSError."""
    from tokharness_tokenizers.reference.token_files import wordpiece_list

    return wordpiece_list.load(path)


def record(path: Path) -> dict[str, Any]:
    """Read the same as a ``tokenizer.json``; raises ValueError or OSError."""
    from tokharness_tokenizers.reference.token_files import wordpiece_list

    return wordpiece_list.read_record(path)
