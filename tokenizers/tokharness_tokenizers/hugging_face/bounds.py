"""The bounds of our reader, for the library that gets the same file."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any, Final

from tokharness.errors import VocabularyError
from tokharness.json_content import parse_json
from tokharness.regular_files import read_file, require_inside_folder
from tokharness_tokenizers.file_errors import FILE_ERRORS, sentence_of, start_of
from tokharness_tokenizers.reference.splitting import LargeError
from tokharness_tokenizers.reference.tokenizer_json import file
from tokharness_tokenizers.reference.tokenizer_json.file import shared_record

CONFIG: Final = "tokenizer_config.json"
NOT_READ: Final = {"special_tokens_map_file"}
"""Settings that name a file where the folder was saved, which the library does not read."""


def parsed(path: Path) -> Any:
    """Return the content of a ``tokenizer.json``; None if it is not JSON, as the library says."""
    with contextlib.suppress(*FILE_ERRORS):
        return shared_record(path)
    return None


def refuse_large(path: Path, record: Any) -> None:
    """Raise VocabularyError if the record of a file exceeds a bound; the message says where.

    The library takes minutes, or all memory, for a normalizer that adds a text of megabytes.
    """
    try:
        file.refuse_large(record)
    except LargeError as error:
        raise VocabularyError(sentence_of(path, ValueError(f"{path}: {error}"))) from error


def refuse_outside(folder: Path) -> None:
    """Raise VocabularyError if the settings of a folder name a file that is not in it.

    ``transformers`` takes ``vocab_file`` and ``tokenizer_file`` of ``tokenizer_config.json`` as
    paths, before the files of the folder. A path that leads nowhere is what a saved folder keeps.
    """
    config = None
    with contextlib.suppress(*FILE_ERRORS):
        config = parse_json(read_file(folder / CONFIG))  # with NaN, as transformers reads it
    for key, value in config.items() if isinstance(config, dict) else ():
        if not (key.endswith("_file") and isinstance(value, str)) or key in NOT_READ:
            continue
        path = Path(value)
        try:
            if path.exists():
                require_inside_folder(folder, [path])
        except (OSError, ValueError) as error:  # ValueError: a null character
            where = f"{folder / CONFIG} names {start_of(value)} as {key}"
            raise VocabularyError(f"{where}, which is not in the folder: remove it") from error
