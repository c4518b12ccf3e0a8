"""The small healthy files of the kind of another one, by its model and what makes it lossless."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.json_content import parse_json
from tokharness.regular_files import read_file
from tokharness_tokenizers.file_errors import FILE_ERRORS
from tokharness_tokenizers.hugging_face import token_files
from tokharness_tokenizers.vocabularies.locate import HEALTHY_FOLDER

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

COMPOSING = ("NFC", "NFKC")
"""Normal forms that compose: a fault of the library in them shows in no file without one."""

FALLBACK = {"BPE": "byte-fallback-bpe", "Unigram": "byte-fallback-unigram"}
WITHOUT = {
    "BPE": "character-bpe",
    "Unigram": "unigram",
    "WordPiece": "wordpiece",
    "WordLevel": "word-level",
}


def folders_of_kind(path: Path) -> list[Path]:
    """Return the folders of the healthy ``tokenizer.json`` of the kind of a file.

    None for an unknown kind. Raises VocabularyError for a damaged list of tokens.
    """
    found = token_files.record_of(path)
    try:
        record = parse_json(read_file(path)) if found is None else found[1]
        name = _kind(record)
    except (*FILE_ERRORS, KeyError, TypeError, AttributeError):
        return []  # the library reads it, and we do not
    folders = [HEALTHY_FOLDER / f"{name}{suffix}" for suffix in ("", "-other")]
    return [folder for folder in folders if folder.is_dir()]


def _kind(record: Mapping[str, Any]) -> str | None:
    model = record["model"]
    kind = model.get("type") or ("BPE" if "merges" in model else "")
    stages = (record.get(name) for name in ("normalizer", "pre_tokenizer", "decoder"))
    if kind == "BPE" and any(_has_bytes(stage) for stage in stages):
        composes = (record.get("normalizer") or {}).get("type") in COMPOSING
        return "byte-level-bpe-composed" if composes else "byte-level-bpe"
    return (FALLBACK if model.get("byte_fallback") else WITHOUT).get(kind)


def _has_bytes(stage: Any) -> bool:
    """Whether a stage, or a part of it, is ByteLevel."""
    if isinstance(stage, list):
        return any(map(_has_bytes, stage))
    if not isinstance(stage, dict):
        return False
    return stage.get("type") == "ByteLevel" or any(map(_has_bytes, stage.values()))
