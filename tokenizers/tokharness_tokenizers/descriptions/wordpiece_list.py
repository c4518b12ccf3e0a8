"""``vocab.txt`` with the settings next to it, as the ``tokenizer.json`` that they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.descriptions.model_folder import model_folder
from tokharness_tokenizers.descriptions.tokenizer_json import describe_list, write
from tokharness_tokenizers.reference.token_files import wordpiece_list

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness.model import Description

__all__ = ["FORMAT", "describe", "write"]

FORMAT: Final = "vocab.txt"


def describe(path: Path) -> Description:
    """Describe a list; raises OSError, or ValueError if it or its settings are damaged."""
    return describe_list(wordpiece_list.read_record, path, FORMAT, model_folder(path, FORMAT))
