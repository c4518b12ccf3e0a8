"""CLIP's file of merges, ``bpe_simple_vocab_16e6.txt.gz``, also if it is not compressed."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.file_formats._hugging_face import library
from tokharness_tokenizers.vocabularies.file_heads import read_head

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.reference.pipeline import Pipeline

__all__ = ["FILE_NAME", "RECOGNIZED", "WORDS", "library", "load", "matches", "record"]

WORDS = "CLIP's list of merges"
FILE_NAME = "bpe_simple_vocab_16e6.txt.gz"
RECOGNIZED = True

_GZIP = zlib.MAX_WBITS | 16
_FIRST_LINE = b"bpe_simple_vocab_16e6.txt"
"""The name that the first line has, after a quotation mark."""


def matches(path: Path) -> bool:
    """Whether the first line of a file, which may be gzip, has the name of the file."""
    head = read_head(path)
    if head.startswith(b"\x1f\x8b"):
        try:
            head = zlib.decompressobj(_GZIP).decompress(head, 100)
        except zlib.error:
            return False
    return _FIRST_LINE in head.partition(b"\n")[0]


def load(path: Path) -> Pipeline:
    """Read a file; raises ValueError or OSError."""
    from tokharness_tokenizers.reference.token_files import clip_merges

    return clip_merges.load(path)


def record(path: Path) -> dict[str, Any]:
    """Read the same as a ``tokenizer.json``; raises ValueError or OSError."""
    from tokharness_tokenizers.reference.token_files import clip_merges

    return clip_merges.read_record(path)
