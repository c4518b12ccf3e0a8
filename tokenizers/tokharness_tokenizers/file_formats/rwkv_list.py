"""RWKV's list of tokens: lines of an id, a literal of Python and its length in bytes.

Source: ``rwkv_tokenizer.py`` of BlinkDL's ChatRWKV.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness_tokenizers import libraries
from tokharness_tokenizers.vocabularies.file_heads import read_rows

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.reference.longest_match import LongestMatch

__all__ = ["RECOGNIZED", "WORDS", "library", "load", "matches"]

WORDS = "an RWKV vocabulary"
RECOGNIZED = True
ROWS = 100
"""Lines that are examined."""

_LINE = re.compile(rb"[0-9]+ b?(['\"]).*\1 [0-9]+")


def matches(path: Path) -> bool:
    """Whether a file has lines of an id, a literal and a length."""
    rows = read_rows(path)[:ROWS]
    return bool(rows) and all(map(_LINE.fullmatch, rows))


def load(path: Path) -> LongestMatch:
    """Read a file; raises ValueError or OSError."""
    from tokharness_tokenizers.reference import rwkv_list

    return rwkv_list.load(path)


def library(path: Path) -> str | None:
    """Return the spec of the library ``rwkv``; None if it is not installed."""
    return libraries.spec("rwkv", "rwkv", path)
