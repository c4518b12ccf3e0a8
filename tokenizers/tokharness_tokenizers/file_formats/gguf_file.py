"""A GGUF file of llama.cpp: the tokenizer in its metadata.

Source: ``docs/gguf.md`` of ggml.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.vocabularies.file_heads import read_head

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.reference.pipeline import Pipeline

__all__ = ["RECOGNIZED", "WORDS", "library", "load", "matches"]

WORDS = "a GGUF file"
RECOGNIZED = True


def matches(path: Path) -> bool:
    """Whether a file begins with the letters GGUF."""
    return read_head(path, 4) == b"GGUF"


def load(path: Path) -> Pipeline:
    """Read a file; raises ValueError or OSError."""
    from tokharness_tokenizers.reference.gguf import reading

    return reading.load(path)


def library(path: Path) -> str | None:
    """Return the spec of llama.cpp with the same file; None if it is not installed."""
    from tokharness_tokenizers.adapters import shipped_engine

    return f"engine:llama.cpp:{path}" if shipped_engine.llama_cpp_is_installed() else None
