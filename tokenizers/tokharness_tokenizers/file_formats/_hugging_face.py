"""The library that reads files which ``tokenizers`` makes a tokenizer of, part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers import libraries

if TYPE_CHECKING:
    from pathlib import Path


def library(path: Path) -> str | None:
    """Return the spec of the library; None if it is not installed, or has no parts, as 1.0."""
    has_parts = not (libraries.find_version("tokenizers") or "").startswith("1.")
    return libraries.spec("hf", "tokenizers", path) if has_parts else None
