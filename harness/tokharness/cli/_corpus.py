"""A corpus as the command line names it: files, patterns of files, the standard input."""

from __future__ import annotations

import glob
import os
import shlex
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from tokharness.cli._corpus_texts import json_texts, text_pieces
from tokharness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["Corpus", "files_of"]

STANDARD_INPUT = "-"
BLOCK = 1 << 20
"""Bytes that are read at once."""


def files_of(words: Iterable[str]) -> tuple[str, ...]:
    """Names of the files that paths and patterns (``**`` for folders) name, each file once.

    Raises UsageError for a word that names no file.
    """
    found: dict[str, str] = {}
    for word in words:
        for name in _named(word):
            key = name if name == STANDARD_INPUT else os.path.realpath(name)
            found.setdefault(key, name)
    return tuple(found.values())


def _named(word: str) -> list[str]:
    name = os.path.expanduser(word)  # noqa: PTH111 - a Path drops "./", and "**/" is for glob
    if name == STANDARD_INPUT:
        return [name]
    if Path(name).is_dir():
        inside = shlex.quote(os.path.join(word, "**", "*.txt"))  # noqa: PTH118 - as above
        raise UsageError(f"{word} is a folder: name files in it, such as {inside}")
    if Path(name).exists():
        return [name]
    names = sorted(one for one in glob.glob(name, recursive=True) if not Path(one).is_dir())  # noqa: PTH207
    if not names:
        raise UsageError(f"no file is called {word!r} or matches it: check the path")
    return names


@dataclass(frozen=True, slots=True)
class Corpus:
    """Files whose texts are trained on.

    Files named ``.jsonl`` or ``.ndjson``, or all of them if ``json_lines``, have a text a line, a
    JSON string or an object that has it under ``text_key``.
    """

    files: tuple[str, ...]
    json_lines: bool = False
    text_key: str = "text"

    @property
    def size(self) -> int | None:
        """Bytes of all files, None if one of them is a stream."""
        if not all(Path(name).is_file() for name in self.files):
            return None
        return sum(Path(name).stat().st_size for name in self.files)

    def texts(self, read: Callable[[int], object]) -> Iterator[str]:
        """Yield the texts; ``read`` is told how many bytes more were read.

        Raises UsageError for what cannot be read.
        """
        for name in self.files:
            where = "the standard input" if name == STANDARD_INPUT else name
            with _opened(name, where) as file:
                if self.json_lines or name.lower().endswith((".jsonl", ".ndjson")):
                    yield from json_texts(_told(file, read), where, self.text_key)
                else:
                    blocks = iter(partial(file.read, BLOCK), b"")
                    yield from text_pieces(_told(blocks, read), where)


def _told(parts: Iterable[bytes], read: Callable[[int], object]) -> Iterator[bytes]:
    for part in parts:
        read(len(part))
        yield part


@contextmanager
def _opened(name: str, where: str) -> Iterator[BinaryIO]:
    try:
        if name != STANDARD_INPUT:
            with Path(name).open("rb") as file:
                yield file
        elif sys.stdin is not None:
            yield sys.stdin.buffer
        else:
            raise UsageError("the standard input is closed")
    except OSError as error:
        raise UsageError(f"cannot read {where}: {error.strerror}") from error
