"""BPE of subword-nmt (Sennrich et al. 2016): a file of codes, and words cut with ``@@``.

The codes are lines of two symbols with one space between, first merges first, after a line
``#version: 0.2``; without this line the version is 0.1. ``PATH.vocab`` next to the codes gives the
ids: lines of a written subword and its count, as ``get_vocab`` of subword-nmt writes them; the
first line has the id 1, and ``<unk>`` the id 0, unless it has a line. Without it the ids are those
of :func:`.codes.vocabulary_of`. It does not change the subwords of a word (the option
``--vocabulary`` of subword-nmt undoes merges; this reader does not).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.regular_files import is_there, require_inside_folder
from tokharness_tokenizers.reference.ranks_file import read_bytes
from tokharness_tokenizers.reference.subword_nmt.codes import (
    UNKNOWN,
    VERSIONS,
    Codes,
    vocabulary_of,
)
from tokharness_tokenizers.reference.subword_nmt.tokenizer import SubwordNMT

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SubwordNMT", "load", "vocabulary_of"]


_HEADER = re.compile(r"#version:.*?(\d+(?:\.\d+)*)\s*")


def load(path: Path) -> SubwordNMT:
    """Read a file of codes and the vocabulary next to it, if there is one.

    Raises:
        OSError: a file cannot be read.
        ValueError: a file is damaged; the message says where.

    """
    codes = read_codes(path)
    return SubwordNMT(str(path), codes, read_vocabulary(path, codes))


def vocabulary_path(path: Path) -> Path:
    """Return the path of the vocabulary next to a file of codes."""
    return Path(f"{path}.vocab")


def read_codes(path: Path) -> Codes:
    """Read a file of codes; raises OSError or ValueError."""
    lines = _lines(path, "file of codes")
    version = "0.1"
    if lines and lines[0].startswith("#version:"):
        version = _version(lines.pop(0), path)
        first = 2
    else:
        first = 1
    merges = []
    for number, line in enumerate(lines, first):
        pair = line.rstrip("\r ").split(" ", 2)
        if len(pair) != 2 or not all(pair):
            raise ValueError(f"{path}, line {number}: {line[:80]!r} is not two symbols and a space")
        merges.append((pair[0], pair[1]))
    if not merges:
        raise ValueError(f"{path} has no merges")
    return Codes(tuple(merges), version)


def _version(line: str, path: Path) -> str:
    match = _HEADER.fullmatch(line)
    version = re.sub(r"(\.0+)*$", "", match[1]) if match else line
    if version not in VERSIONS:
        known = " and ".join(VERSIONS)
        raise ValueError(f"{path}, line 1: {line[:80]!r} is no version that is known: {known} are")
    return version


def read_vocabulary(path: Path, codes: Codes) -> tuple[str, ...]:
    """Return the written subwords of a file of codes; the place of a subword is its id."""
    side = vocabulary_path(path)
    if not is_there(side):
        return vocabulary_of(codes)
    require_inside_folder(side.parent, [side])
    subwords = list(_counted(side))
    return tuple(subwords if UNKNOWN in subwords else [UNKNOWN, *subwords])


def _counted(path: Path) -> Iterator[str]:
    for number, line in enumerate(_lines(path, "vocabulary next to the file of codes"), 1):
        subword, _, count = line.rstrip("\r ").rpartition(" ")
        if not subword or " " in subword or not (count.isascii() and count.isdigit()):
            raise ValueError(f"{path}, line {number}: {line[:80]!r} is not a subword and a count")
        yield subword


def _lines(path: Path, what: str) -> list[str]:
    """Return the lines of a file; only a line feed ends a line. A byte order mark is left out."""
    try:
        text = read_bytes(path, what).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8: {error}") from error
    lines = text.rstrip("\n").split("\n")
    return lines if lines != [""] else []
