"""Tokenizers that the library makes of a list of tokens and merges, part by part.

The library reads the lists itself (``WordPiece.from_file``, ``BPE.from_file``); only CLIP's
compressed file is read for it. Its stages are those that our reading of the file says, since the
library asks the user for them. Release 1.0 has no classes of parts, and loads no such file.

The small healthy files of a kind are chosen by the model and by what makes it lossless.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from tokharness.errors import TargetError, VocabularyError
from tokharness.json_content import parse_json
from tokharness.regular_files import read_file
from tokharness_tokenizers.file_errors import FILE_ERRORS, sentence_of
from tokharness_tokenizers.vocabularies.locate import HEALTHY_FOLDER

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

STAGES: Final = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
EMPTY: Final = {"type": "WordLevel", "vocab": {}, "unk_token": ""}


def record_of(path: Path) -> tuple[str, dict[str, Any]] | None:
    """Return a file, or the one that counts in a folder, as a ``tokenizer.json``, with its name.

    The name is the usual one of its format. It is None for a file of another format. Raises
    VocabularyError if it is damaged, or has a class that is not known.
    """
    from tokharness_tokenizers import file_formats

    try:
        found = file_formats.find(path)
        read = None if found is None else getattr(found[0], "record", None)
        return None if found is None or read is None else (found[0].FILE_NAME, read(found[1]))
    except FILE_ERRORS as error:
        raise VocabularyError(f"{path}: {sentence_of(path.name, error)}") from error


def make(path: Path, record: Mapping[str, Any]) -> Any:
    """Make the tokenizer; raises TargetError for a release without classes of parts."""
    import tokenizers

    if not hasattr(tokenizers, "models"):
        raise TargetError(
            f"tokenizers {version('tokenizers')} loads a tokenizer.json only, not {path}: "
            "use a release before 1.0"
        )
    stages = tokenizers.Tokenizer.from_str(
        json.dumps({**record, "added_tokens": [], "model": EMPTY})
    )
    tokenizer = tokenizers.Tokenizer(_model(path, record["model"]))
    for name in STAGES:
        if (stage := getattr(stages, name)) is not None:
            setattr(tokenizer, name, stage)
    for token in record["added_tokens"]:
        flags = {key: value for key, value in token.items() if key not in ("id", "content")}
        tokenizer.add_tokens([tokenizers.AddedToken(token["content"], **flags)])
    return tokenizer


def _model(path: Path, record: Mapping[str, Any]) -> Any:
    from tokenizers import models

    unknown = record["unk_token"]
    settings = {} if unknown is None else {"unk_token": unknown}
    if record["type"] == "WordPiece":
        most = record["max_input_chars_per_word"]
        return models.WordPiece.from_file(str(path), max_input_chars_per_word=most, **settings)
    settings["end_of_word_suffix"] = record["end_of_word_suffix"]
    if path.is_dir():
        files = (str(path / name) for name in ("vocab.json", "merges.txt"))
        return models.BPE.from_file(*files, **settings)
    merges = [tuple(pair) for pair in record["merges"]]
    return models.BPE(record["vocab"], merges, **settings)


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
    found = record_of(path)
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
    if kind == "BPE" and any(_has("ByteLevel", stage) for stage in stages):
        composes = any(_has(form, record.get("normalizer")) for form in COMPOSING)
        return "byte-level-bpe-composed" if composes else "byte-level-bpe"
    if kind == "Unigram" and _has("Precompiled", record.get("normalizer")):
        return "unigram-precompiled"
    return (FALLBACK if model.get("byte_fallback") else WITHOUT).get(kind)


def _has(component: str, stage: Any) -> bool:
    """Whether a stage, or a part of it, is this component."""
    parts = stage if isinstance(stage, list) else []
    if isinstance(stage, dict):
        if stage.get("type") == component:
            return True
        parts = [*stage.values()]
    return any(_has(component, part) for part in parts)
