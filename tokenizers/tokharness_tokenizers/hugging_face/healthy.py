"""The small healthy file of the kind of another one, by its model and what makes it lossless."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.hugging_face import token_files
from tokharness_tokenizers.vocabularies.locate import HEALTHY_FOLDER

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["folder_of_kind"]

FALLBACK = {"BPE": "byte-fallback-bpe", "Unigram": "byte-fallback-unigram"}
WITHOUT = {
    "BPE": "character-bpe",
    "Unigram": "unigram",
    "WordPiece": "wordpiece",
    "WordLevel": "word-level",
}


def folder_of_kind(path: Path) -> Path | None:
    """Return the folder of the healthy ``tokenizer.json`` of the kind of a file; None if unknown.

    Raises VocabularyError for a damaged list of tokens.
    """
    found = token_files.record_of(path)
    try:
        record = json.loads(path.read_bytes()) if found is None else found[1]
        name = _kind(record)
    except (ValueError, OSError, TypeError, AttributeError):  # the library reads it, and we do not
        return None
    return None if name is None else HEALTHY_FOLDER / name


def _kind(record: Mapping[str, Any]) -> str | None:
    model = record["model"]
    kind = model.get("type") or ("BPE" if "merges" in model else "")
    stages = (record.get(name) for name in ("normalizer", "pre_tokenizer", "decoder"))
    if kind == "BPE" and any(_has_bytes(stage) for stage in stages):
        return "byte-level-bpe"
    return (FALLBACK if model.get("byte_fallback") else WITHOUT).get(kind)


def _has_bytes(stage: Any) -> bool:
    """Whether a stage, or a part of it, is ByteLevel."""
    if isinstance(stage, list):
        return any(map(_has_bytes, stage))
    if not isinstance(stage, dict):
        return False
    return stage.get("type") == "ByteLevel" or any(map(_has_bytes, stage.values()))
