"""CLIP's list of merges, as the ``tokenizer.json`` that it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.descriptions.tokenizer_json import describe_list, write
from tokharness_tokenizers.reference.token_files import clip_merges

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness.model import Description

__all__ = ["FORMAT", "describe", "write"]

FORMAT: Final = "CLIP merges"


def describe(path: Path) -> Description:
    """Describe a list; raises OSError, or ValueError if it is damaged."""
    return describe_list(clip_merges.read_record, path, FORMAT)
