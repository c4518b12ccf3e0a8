"""The library that reads files which ``tokenizers`` makes a tokenizer of, part by part."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["library"]


def library(path: Path) -> str | None:
    """Return the spec of the library; None if it is not installed, or has no parts, as 1.0."""
    try:
        major = int(version("tokenizers").partition(".")[0])
    except PackageNotFoundError:
        return None
    return f"hf:{path}" if major < 1 else None
