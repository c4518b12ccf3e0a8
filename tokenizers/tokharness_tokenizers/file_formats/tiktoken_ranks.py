"""The ranks of tiktoken: lines of a token in base64 and its rank, with a side file of ours.

Source: ``tiktoken.load``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness_tokenizers.vocabularies.file_heads import read_rows

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.reference.byte_bpe import ByteBPE

__all__ = ["WORDS", "library", "load", "matches"]

WORDS = "a list of tiktoken's ranks"
ROWS = 100
"""Lines that are examined."""

_RANK_LINE = re.compile(rb"([A-Za-z0-9+/]+={0,2})[ \t]+[0-9]{1,10}")


def matches(path: Path) -> bool:
    """Whether a file has lines of a token in base64 and a rank."""
    rows = read_rows(path)[:ROWS]
    found = [_RANK_LINE.fullmatch(row) for row in rows]
    return bool(rows) and all(match and len(match[1]) % 4 == 0 for match in found)


def load(path: Path) -> ByteBPE:
    """Read a file and its side file; raises ValueError or OSError."""
    from tokharness_tokenizers.reference import ranks_file

    return ranks_file.load(path)


def library(path: Path) -> str | None:
    """Return the spec of tiktoken's engine with the same ranks and pattern."""
    return f"tiktoken:{path}"
