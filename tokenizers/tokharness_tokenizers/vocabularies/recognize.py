"""What a vocabulary file is, seen from its content.

:func:`describe` names files that no adapter loads: those of :mod:`..file_formats` whose library is
missing, and parts of a vocabulary.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tokharness_tokenizers import file_formats
from tokharness_tokenizers.vocabularies.file_heads import members, read_head, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["describe"]

ROWS = 100
"""Lines that are examined."""


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


def _is_merges(path: Path) -> bool:
    rows = read_rows(path)[:ROWS]
    return len(rows) > 1 and b"#version:" in rows[0] and all(len(r.split()) == 2 for r in rows[1:])


_KINDS: tuple[tuple[str, Callable[[Path], bool]], ...] = (
    ("a table of tokens and ids without merges", _is_id_table),
    ("a list of BPE merges without tokens and ids", _is_merges),
)
