"""The ``tokenizer.json`` of Hugging Face's library ``tokenizers``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers import libraries
from tokharness_tokenizers.vocabularies.file_heads import has_members

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.reference.pipeline import Pipeline

__all__ = ["FILE_NAME", "WORDS", "library", "load", "matches"]

WORDS = "a tokenizer.json of Hugging Face"
FILE_NAME = "tokenizer.json"

_PARTS = {
    *("added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder"),
    *("truncation", "padding"),
}
"""All keys except ``model`` are optional."""


def matches(path: Path) -> bool:
    """Whether a file is a JSON object with a model and another part."""
    return has_members(path, lambda seen: seen.get("model") == "{" and not _PARTS.isdisjoint(seen))


def load(path: Path) -> Pipeline:
    """Read a file; raises ValueError or OSError."""
    from tokharness_tokenizers.reference import tokenizer_json

    return tokenizer_json.load(path)


def library(path: Path) -> str | None:
    """Return the spec of the library ``tokenizers``; None if it is not installed."""
    return libraries.spec("hf", "tokenizers", path)
