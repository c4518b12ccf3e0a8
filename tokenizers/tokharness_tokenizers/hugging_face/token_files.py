"""Tokenizers that the library makes of a list of tokens and merges, part by part.

The library reads the lists itself (``WordPiece.from_file``, ``BPE.from_file``); only CLIP's
compressed file is read for it. Its stages are those that our reading of the file says, since the
library asks the user for them. Release 1.0 has no classes of parts, and loads no such file.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from tokharness.errors import TargetError, VocabularyError
from tokharness_tokenizers.file_errors import FILE_ERRORS, sentence_of

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
