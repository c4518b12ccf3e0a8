"""A corpus as the command line names it: files, glob patterns, or the standard input."""

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

from tokharness.corpora.texts import MOST_BYTES, json_texts, split_text
from tokharness.errors import UsageError
from tokharness.regular_files import open_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

STANDARD_INPUT = "-"
JSON_LINES = (".jsonl", ".ndjson")
"""How the names of files of JSON lines end."""

TEXT_KEY = "text"
"""Where an object of JSON lines has its text."""

BLOCK_SIZE = 1 << 20
"""Bytes that are read at once."""


def expand_files(patterns: Iterable[str]) -> tuple[str, ...]:
    """Expand paths and glob patterns (``**`` for folders) to the names of files, each file once.

    Raises UsageError for a pattern that matches no file.
    """
    names: dict[str, str] = {}
    for pattern in patterns:
        for name in _expand(pattern):
            key = name if name == STANDARD_INPUT else os.path.realpath(name)
            names.setdefault(key, name)
    return tuple(names.values())


def _expand(pattern: str) -> list[str]:
    name = os.path.expanduser(pattern)  # noqa: PTH111 - a Path drops "./", and "**/" is for glob
    if name == STANDARD_INPUT:
        return [name]
    if Path(name).is_dir():
        inside = shlex.quote(os.path.join(pattern, "**", "*.txt"))  # noqa: PTH118 - as above
        raise UsageError(f"{pattern} is a folder: name files in it, such as {inside}")
    if Path(name).exists():
        return [name]
    names = sorted(path for path in glob.glob(name, recursive=True) if not Path(path).is_dir())  # noqa: PTH207
    if not names:
        raise UsageError(f"no file matches {pattern!r}: check the path")
    return names


@dataclass(frozen=True, slots=True)
class Corpus:
    """Files with the texts to train on.

    Files named ``.jsonl`` or ``.ndjson``, or all of them if ``json_lines``, have one text per line:
    a JSON string, or an object that has the text under ``text_key``.
    """

    files: tuple[str, ...]
    json_lines: bool = False
    text_key: str = TEXT_KEY

    @property
    def size(self) -> int | None:
        """Bytes of all files; None if one of them is a stream."""
        if not all(Path(name).is_file() for name in self.files):
            return None
        return sum(Path(name).stat().st_size for name in self.files)

    def texts(self, on_read: Callable[[int], object]) -> Iterator[str]:
        """Yield the texts; call ``on_read`` with the number of bytes of each read.

        Raises UsageError for a file that cannot be read or decoded.
        """
        for name in self.files:
            where = "the standard input" if name == STANDARD_INPUT else name
            with _open(name, where) as file:
                if self.json_lines or name.lower().endswith(JSON_LINES):
                    lines = iter(partial(file.readline, MOST_BYTES), b"")
                    yield from json_texts(_count_bytes(lines, on_read), where, self.text_key)
                else:
                    blocks = iter(partial(file.read, BLOCK_SIZE), b"")
                    yield from split_text(_count_bytes(blocks, on_read), where)


def _count_bytes(parts: Iterable[bytes], on_read: Callable[[int], object]) -> Iterator[bytes]:
    for part in parts:
        on_read(len(part))
        yield part


@contextmanager
def _open(name: str, where: str) -> Iterator[BinaryIO]:
    try:
        if name != STANDARD_INPUT:
            with open_stream(name) as file:
                yield file
        elif sys.stdin is not None:
            yield sys.stdin.buffer
        else:
            raise UsageError("the standard input is closed")
    except OSError as error:
        raise UsageError(f"cannot read {where}: {error.strerror}") from error
