"""A folder with ``vocab.json`` and ``merges.txt``, the two files of BPE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.file_formats._hugging_face import library

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.reference.pipeline import Pipeline

__all__ = [
    "FILE_NAME",
    "RECOGNIZED",
    "WORDS",
    "library",
    "load",
    "matches",
    "matches_folder",
    "record",
]

WORDS = "a vocabulary of BPE (vocab.json and merges.txt)"
FILE_NAME = "vocab.json"
MERGES_NAME = "merges.txt"
RECOGNIZED = True


def matches(path: Path) -> bool:  # noqa: ARG001 - each file alone lacks what the other has
    """Whether a file has this format: none has."""
    return False


def matches_folder(path: Path) -> bool:
    """Whether a folder has both files."""
    return all((path / name).is_file() for name in (FILE_NAME, MERGES_NAME))


def load(path: Path) -> Pipeline:
    """Read the files of a folder; raises ValueError or OSError."""
    from tokharness_tokenizers.reference.token_files import vocabulary_and_merges

    return vocabulary_and_merges.load(path)


def record(path: Path) -> dict[str, Any]:
    """Read the same as a ``tokenizer.json``; raises ValueError or OSError."""
    from tokharness_tokenizers.reference.token_files import vocabulary_and_merges

    return vocabulary_and_merges.read_record(path)
