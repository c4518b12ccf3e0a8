"""A folder with ``vocab.json`` and ``merges.txt``, as the ``tokenizer.json`` that it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.descriptions.tokenizer_json import describe_list, write
from tokharness_tokenizers.reference.token_files import vocabulary_and_merges

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness.model import Description

__all__ = ["FORMAT", "describe", "write"]

FORMAT: Final = "vocab.json and merges.txt"


def describe(path: Path) -> Description:
    """Describe a folder; raises OSError, or ValueError if one of its files is damaged."""
    return describe_list(vocabulary_and_merges.read_record, path, FORMAT, path)
