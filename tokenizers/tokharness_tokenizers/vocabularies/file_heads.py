"""What a vocabulary file is, seen from its beginning and from the keys of a large JSON object.

:func:`describe` names files that no adapter loads: those of :mod:`..file_formats` whose library is
missing, parts of a vocabulary, and what Git LFS leaves in the place of a file.
"""

from __future__ import annotations

import functools
import re
import sys
from itertools import islice
from typing import TYPE_CHECKING, Any

from tokharness.regular_files import open_file
from tokharness_tokenizers import file_formats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

__all__ = ["describe", "has_members", "is_lfs_pointer", "members", "read_head", "read_rows"]

HEAD = 1 << 16
LIMIT = 1 << 26
"""Bytes of a JSON file that are read if its beginning does not decide."""
MOST_TOKENS = 1 << 20
"""Strings and brackets that are looked at, those in lists and objects with none inside apart."""
MAX_MEMBERS = 100
"""An object with more keys is a vocabulary by itself, or something else."""

_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{")
_STRING = rb'"(?:[^"\\]++|\\.)*+"'
_FLAT = rb'(?:[{\[](?:[^"{}\[\]]++|' + _STRING + rb")*+[}\]][\s,]*+)++"
"""Lists and objects with none inside, one after another, such as the merges of a vocabulary."""
_TOKEN = _STRING[:-1] + b'("?)|' + _FLAT + rb"|[{}\[\]]"
_VALUE = re.compile(rb"\s*:\s*([^\s])")


def read_head(path: Path, size: int = HEAD) -> bytes:
    """Return the first bytes of a file. Raises OSError, also for what is not a regular file."""
    with open_file(path) as file:
        return file.read(size) or b""  # None if it would block, as some of /proc


def read_rows(path: Path) -> list[bytes]:
    """Return the complete lines that are not empty at the beginning of a file. Raises OSError."""
    data = read_head(path)
    rows = data.splitlines()
    return [row for row in (rows[:-1] if len(data) == HEAD else rows) if row]


def has_members(path: Path, test: Callable[[Mapping[str, str]], bool]) -> bool:
    """Whether the first keys of a JSON object pass a test. Raises OSError.

    The test gets each key read so far with the first character of its value. The order of the keys
    does not matter, and errors in the values are not found.
    """
    head = read_head(path)
    first = _passes(members(head), test)
    if first is not None or len(head) < HEAD or not _START.match(head):
        return bool(first)
    state = path.stat()
    return bool(_passes(_all_members(path, state.st_ino, state.st_size, state.st_mtime_ns), test))


def _passes(
    found: Iterable[tuple[str, str]], test: Callable[[Mapping[str, str]], bool]
) -> bool | None:
    """Whether some first keys pass a test; None if they are too few to decide."""
    seen: dict[str, str] = {}
    for key, first in found:
        seen[key] = first
        if test(seen):
            return True
        if len(seen) > MAX_MEMBERS:
            return False
    return None


@functools.lru_cache(maxsize=8)
def _all_members(path: Path, *_: int) -> list[tuple[str, str]]:
    """Return the keys of a large file in this state: many formats ask, and a scan takes long."""
    return list(islice(members(read_head(path, LIMIT)), MAX_MEMBERS + 1))


@functools.cache
def _tokens_of() -> Any:
    """Return the search for strings, brackets, and lists and objects with none inside.

    Python's own engine before 3.11.5 goes wrong in possessive repeats (CPython issue 106052); the
    engine of ``regex`` takes four times as long.
    """
    if sys.version_info >= (3, 11, 5):
        return re.compile(_TOKEN, re.DOTALL).finditer
    import regex

    return regex.compile(_TOKEN, regex.DOTALL).finditer


def members(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield the keys of the outermost object, each with the first character of its value."""
    start = _START.match(data)
    if not start:
        return
    depth = 1
    for match in islice(_tokens_of()(data, start.end()), MOST_TOKENS):
        token = match[0]
        if token[:1] == b'"':
            if not match[1]:  # the data ends in a string
                return
            value = _VALUE.match(data, match.end()) if depth == 1 else None
            if value:
                yield token[1:-1].decode("utf-8", "replace"), value[1].decode("latin-1")
        elif token in b"{[":
            depth += 1
        elif token in b"}]":
            depth -= 1
            if depth == 0:
                return


ROWS = 100
"""Lines that are examined."""

_KERAS = re.compile(rb'\s*"?\{\s*\\?"class_name\\?"\s*:\s*\\?"Tokenizer\\?"')
"""The result of ``Tokenizer.to_json`` of Keras, or that string as JSON once again."""

_LFS_POINTER = re.compile(rb"version https://git-lfs\S+\n(?:ext-.*\n)*oid sha256:")


def describe(path: Path) -> str | None:
    """Return what a file or a folder is, such as "a GGUF file"; None if it is not known."""
    found = file_formats.find(path)
    if found is not None:
        return str(found[0].WORDS)
    if path.is_dir():
        return None
    return next((name for name, is_one in _KINDS if is_one(path)), None)


def _is_id_table(path: Path) -> bool:
    seen = dict(islice(members(read_head(path)), ROWS))
    return len(seen) > 2 and all(first.isdigit() for first in seen.values())


def _is_config(path: Path) -> bool:
    keys = set(dict(islice(members(read_head(path)), ROWS)))
    return "tokenizer_class" in keys and not keys & {"model", "vocab"}


def _is_merges(path: Path) -> bool:
    rows = read_rows(path)[:ROWS]
    return len(rows) > 1 and b"#version:" in rows[0] and all(len(r.split()) == 2 for r in rows[1:])


def _is_keras(path: Path) -> bool:
    return _KERAS.match(read_head(path)) is not None


def is_lfs_pointer(path: Path) -> bool:
    """Whether a file stands for one of Git LFS that was not fetched. Raises OSError."""
    return _LFS_POINTER.match(read_head(path)) is not None


_KINDS: tuple[tuple[str, Callable[[Path], bool]], ...] = (
    ("a pointer of Git LFS (`git lfs pull` fetches the file)", is_lfs_pointer),
    ("the word index of a Tokenizer of Keras", _is_keras),
    ("a table of tokens and ids without merges", _is_id_table),
    ("the settings of a tokenizer without its vocabulary", _is_config),
    ("a list of BPE merges without tokens and ids", _is_merges),
)
