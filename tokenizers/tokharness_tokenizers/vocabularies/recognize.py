"""What a vocabulary file is, seen from its content.

:func:`describe` names files that no adapter loads: those of :mod:`..file_formats` whose library is
missing, and parts of a vocabulary.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from tokharness_tokenizers import file_formats
from tokharness_tokenizers.vocabularies.file_heads import has_members, members, read_head, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["describe"]

ROWS = 100
"""Lines that are examined."""

_RWKV_LINE = re.compile(rb"[0-9]+ b?(['\"]).*\1 [0-9]+")
_PIECE_END = re.compile(rb"(?:\x15.{4})?(?:\x18[\x01-\x06])?", re.DOTALL)
"""The score and the type of a piece of SentencePiece."""


def describe(path: Path) -> str | None:
    """Return what a file or a folder is, such as "a GGUF file"; None if it is not known."""
    if path.is_dir():
        files = [path / "merges.txt", path / "vocab.json"]
        are_there = all(file.is_file() for file in files)
        return "a vocabulary of BPE (vocab.json and merges.txt)" if are_there else None
    found = file_formats.find(path)
    if found is not None:
        return str(found[0].WORDS)
    return next((name for name, is_one in _KINDS if is_one(path)), None)


def _is_gguf(path: Path) -> bool:
    return read_head(path, 4) == b"GGUF"


def _is_sentencepiece(path: Path) -> bool:
    """Whether a file begins with three pieces, the first field of a ``ModelProto``."""
    data = read_head(path)
    for _ in range(3):
        tag, size, text_tag, length, *_ = (*data[:4], *bytes(4))
        piece, data = data[2 : 2 + size], data[2 + size :]
        text, end = piece[2 : 2 + length], piece[2 + length :]
        is_piece = tag == text_tag == 0x0A and len(text) == length > 0
        if not (is_piece and _PIECE_END.fullmatch(end)):
            return False
    return True


def _is_tekken(path: Path) -> bool:
    return has_members(path, lambda seen: seen.get("config") == "{" and seen.get("vocab") == "[")


def _is_id_table(path: Path) -> bool:
    seen = dict(islice(members(read_head(path)), ROWS))
    return len(seen) > 2 and all(first.isdigit() for first in seen.values())


def _is_merges(path: Path) -> bool:
    rows = read_rows(path)[:ROWS]
    return len(rows) > 1 and b"#version:" in rows[0] and all(len(r.split()) == 2 for r in rows[1:])


def _is_word_pieces(path: Path) -> bool:
    rows = read_rows(path)
    return b"[UNK]" in rows and all(len(row.split()) <= 1 for row in rows)


def _is_rwkv(path: Path) -> bool:
    rows = read_rows(path)[:ROWS]
    return bool(rows) and all(map(_RWKV_LINE.fullmatch, rows))


_KINDS: tuple[tuple[str, Callable[[Path], bool]], ...] = (
    ("a GGUF file", _is_gguf),
    ("a SentencePiece model", _is_sentencepiece),
    ("a Tekken vocabulary", _is_tekken),
    ("a table of tokens and ids without merges", _is_id_table),
    ("a list of BPE merges without tokens and ids", _is_merges),
    ("a WordPiece vocabulary", _is_word_pieces),
    ("an RWKV vocabulary", _is_rwkv),
)
