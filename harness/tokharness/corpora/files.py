"""A corpus as the command line names it, and its texts: pieces of plain text, or JSON lines.

A corpus is a list of files and glob patterns, or the standard input. A file is read in pieces, so
that it need not fit into memory. A piece ends before a space that follows a character other than
white space: there the named patterns always split.
"""

from __future__ import annotations

import codecs
import glob
import json
import os
import re
import shlex
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from tokharness.errors import UsageError
from tokharness.json_content import parse_json_row
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


MOST_VALUES = 1_000_000
"""Values and keys of a line of JSON, of which one is the text."""

MOST_BYTES = 1 << 26
"""Bytes of a line of JSON."""

MOST_CHARACTERS = 1 << 28
"""Characters of plain text without a place where it may be cut, which are in memory together."""

_UP_TO_LAST_SPLIT = re.compile(r"(?s:.*)\S(?= )")


def split_text(blocks: Iterable[bytes], where: str) -> Iterator[str]:
    """Decode the blocks of a UTF-8 file into pieces of about the same size.

    ``where`` names the file in errors. A byte order mark at the start is removed. Raises UsageError
    for bytes that are not UTF-8, and for :data:`MOST_CHARACTERS` without a space after a character.
    """
    pending: list[str] = []
    size = 0
    for text in _decode(blocks, where):
        piece = _UP_TO_LAST_SPLIT.match(text)
        if piece is None:
            pending.append(text)
            size += len(text)
            if size > MOST_CHARACTERS:
                raise UsageError(
                    f"{where} has {MOST_CHARACTERS:,} characters without a space after another "
                    "character, where a text may be cut: divide it into smaller files"
                )
            continue
        yield "".join([*pending, piece[0]])
        pending = [text[piece.end() :]]
        size = len(pending[0])
    if rest := "".join(pending):
        yield rest


def json_texts(lines: Iterable[bytes], where: str, text_key: str) -> Iterator[str]:
    """Read the texts of JSON lines: strings, or objects that have one under ``text_key``.

    Empty lines are skipped. Raises UsageError, with the line number, for any other line.
    """
    offset = 0
    for number, line in enumerate(lines, start=1):
        if len(line) == MOST_BYTES:
            raise UsageError(f"{where}:{number} has more than {MOST_BYTES >> 20} MB: divide it")
        try:
            text = line.decode().removeprefix("\ufeff" if number == 1 else "")
        except UnicodeDecodeError as error:
            raise UsageError(_not_utf8(f"{where}:{number}", error, offset)) from error
        offset += len(line)
        if text.strip():
            yield _json_text(text, f"{where}:{number}", text_key)


def _json_text(line: str, where: str, text_key: str) -> str:
    try:
        value = parse_json_row(line, MOST_VALUES)
    except ValueError as error:
        # str(error) would say "line 1": the decoder gets one line at a time.
        message = getattr(error, "msg", error)
        raise UsageError(f"{where} is not JSON: {message}") from error
    if isinstance(value, dict):
        if text_key not in value:
            keys = ", ".join(map(repr, [*value][:9])) or "none"
            raise UsageError(
                f"{where} has no key {text_key!r}, only {keys}: name one with --text-key"
            )
        value = value[text_key]
        where = f"{text_key!r} of {where}"
    if not isinstance(value, str):
        raise UsageError(f"{where} is not a JSON string but {json.dumps(value)[:60]}")
    return value


def _decode(blocks: Iterable[bytes], where: str) -> Iterator[str]:
    """Decode UTF-8, without a byte order mark at the start."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    offset = 0
    for block in chain(blocks, [b""]):
        incomplete, _ = decoder.getstate()
        try:
            text = decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            raise UsageError(_not_utf8(where, error, offset - len(incomplete))) from error
        yield text if offset else text.removeprefix("\ufeff")
        offset += len(block)


def _not_utf8(where: str, error: UnicodeDecodeError, offset: int) -> str:
    byte = error.object[error.start]
    return (
        f"{where} is not UTF-8: byte 0x{byte:02X} at offset {offset + error.start} is invalid; "
        "convert the file or leave it out"
    )
