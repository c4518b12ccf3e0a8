"""The ``tekken.json`` of Mistral's models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers import libraries
from tokharness_tokenizers.vocabularies.file_heads import has_members

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.reference.tekken import Tekken

__all__ = ["FILE_NAME", "WORDS", "library", "load", "matches"]

WORDS = "a Tekken vocabulary"
FILE_NAME = "tekken.json"


def matches(path: Path) -> bool:
    """Whether a file is a JSON object with a configuration and a list of tokens."""
    return has_members(path, lambda seen: seen.get("config") == "{" and seen.get("vocab") == "[")


def load(path: Path) -> Tekken:
    """Read a file; raises ValueError or OSError."""
    from tokharness_tokenizers.reference import tekken

    return tekken.load(path)


def library(path: Path) -> str | None:
    """Return the spec of ``mistral-common``; None if it is not installed."""
    return libraries.spec("mistral", "mistral-common", path)
