"""The target that loads a trained file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers import file_formats

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["library_spec"]

SCHEME = "reference"


def library_spec(path: Path) -> str:
    """Return the spec of the library that reads a file, or of the reference if it is missing."""
    found = file_formats.find(path)
    scheme = str(found[0].library(path) or SCHEME).partition(":")[0] if found else SCHEME
    # A bare name without a suffix would name a known vocabulary.
    return f"{scheme}:{path if path.suffix or len(path.parts) > 1 else f'./{path}'}"
