"""The codes of subword-nmt: a list of merges with ``</w>`` for the end of a word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness_tokenizers import libraries
from tokharness_tokenizers.vocabularies.file_heads import read_rows

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.reference.subword_nmt import SubwordNMT

__all__ = ["WORDS", "library", "load", "matches"]

WORDS = "a file of codes of subword-nmt"
ROWS = 1000
"""Lines that are examined; the first merges have a frequent end of a word among them."""
END = b"</w>"
HEADER = b"#version:"

_HEADER = re.compile(rb"(?:\xef\xbb\xbf)?#version:")


def matches(path: Path) -> bool:
    """Whether a file has lines of two symbols, some of which end a word."""
    rows = [row.rstrip() for row in read_rows(path)[:ROWS]]
    pairs = [row.split(b" ") for row in rows if not _HEADER.match(row)]
    is_codes = all(len(pair) == 2 and HEADER not in pair[0] for pair in pairs)
    return is_codes and any(pair[1].endswith(END) for pair in pairs)


def load(path: Path) -> SubwordNMT:
    """Read a file, and the vocabulary next to it; raises ValueError or OSError."""
    from tokharness_tokenizers.reference import subword_nmt

    return subword_nmt.load(path)


def library(path: Path) -> str | None:
    """Return the spec of subword-nmt; None if it is not installed."""
    return libraries.spec("subword-nmt", "subword-nmt", path)
