"""The bounds of our reader, for the library that gets the same file."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from tokharness.errors import VocabularyError
from tokharness.json_content import parse_json
from tokharness.regular_files import read_file
from tokharness_tokenizers.file_errors import FILE_ERRORS, sentence_of
from tokharness_tokenizers.reference.pattern_size import LargeError
from tokharness_tokenizers.reference.tokenizer_json import bounds

if TYPE_CHECKING:
    from pathlib import Path


def parsed(path: Path) -> Any:
    """Return the content of a ``tokenizer.json``; None if it is not JSON, as the library says."""
    with contextlib.suppress(*FILE_ERRORS):
        return parse_json(read_file(path))
    return None


def refuse_large(path: Path, record: Any) -> None:
    """Raise VocabularyError if the record of a file exceeds a bound; the message says where.

    The library takes minutes, or all memory, for a normalizer that adds a text of megabytes.
    """
    try:
        bounds.refuse_large(record)
    except LargeError as error:
        raise VocabularyError(sentence_of(path, ValueError(f"{path}: {error}"))) from error
