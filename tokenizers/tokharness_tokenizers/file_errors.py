"""What a file may do to its reader, as one sentence that names the file."""

from __future__ import annotations

import contextlib
import reprlib
import struct
import zlib
from itertools import islice
from typing import TYPE_CHECKING, Any

from tokharness.errors import VocabularyError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE_ERRORS = (
    *(OSError, ValueError),  # of readers, who say what is wrong and where
    *(MemoryError, RecursionError, OverflowError, struct.error, zlib.error),
)
"""Exceptions whose cause is the file that is read; any other one is a bug of its reader."""

MOST_CHARACTERS = 600
"""Characters of an error, which may quote a text of megabytes."""

WHY: dict[type[BaseException], str] = {
    MemoryError: "to read it needs more memory than this process may have",
    RecursionError: "it is nested too deep",
}


class _Start(reprlib.Repr):
    """The start of a value: a file may have millions where one is expected."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxstring = self.maxother = self.maxlong = MOST_CHARACTERS

    def repr_dict(self, value: dict[Any, Any], level: int) -> str:
        """Sort only what is shown."""
        return super().repr_dict(dict(islice(value.items(), self.maxdict + 1)), level)


start_of = _Start().repr
"""Return the start of a value as Python writes it, in little time and memory whatever its size."""


@contextlib.contextmanager
def named_file_errors(path: Path | str) -> Iterator[None]:
    """Raise VocabularyError for what a file does to the reader that is called in this block."""
    try:
        yield
    except FILE_ERRORS as error:
        raise VocabularyError(sentence_of(path, error)) from error


def sentence_of(path: Path | str, error: BaseException) -> str:
    """Return what is wrong with a file, and its name; errors of readers name it themselves."""
    if isinstance(error, OSError) and error.filename is not None:
        message = f"cannot read {error.filename}: {error.strerror}"
    elif isinstance(error, OSError | ValueError):
        message = str(error)
    else:
        message = f"{path}: {WHY.get(type(error)) or f'a number or a length is damaged: {error}'}"
    half = MOST_CHARACTERS // 2
    return message if len(message) <= 2 * half else f"{message[:half]} ... {message[-half:]}"
