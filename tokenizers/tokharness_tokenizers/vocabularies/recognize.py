"""What a vocabulary file is, seen from its content.

:func:`describe` names files that no adapter loads: those of :mod:`..file_formats` whose library is
missing, parts of a vocabulary, and what Git LFS leaves in the place of a file.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from tokharness_tokenizers import file_formats
from tokharness_tokenizers.vocabularies.file_heads import members, read_head, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["describe", "is_lfs_pointer"]

ROWS = 100
"""Lines that are examined."""

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


def is_lfs_pointer(path: Path) -> bool:
    """Whether a file stands for one of Git LFS that was not fetched. Raises OSError."""
    return _LFS_POINTER.match(read_head(path)) is not None


_KINDS: tuple[tuple[str, Callable[[Path], bool]], ...] = (
    ("a pointer of Git LFS (`git lfs pull` fetches the file)", is_lfs_pointer),
    ("a table of tokens and ids without merges", _is_id_table),
    ("the settings of a tokenizer without its vocabulary", _is_config),
    ("a list of BPE merges without tokens and ids", _is_merges),
)
