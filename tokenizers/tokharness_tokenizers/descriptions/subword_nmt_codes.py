"""The codes of subword-nmt, with the subwords of the vocabulary next to them or of the codes."""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING, Final

from tokharness.model import Description, TokenEntry
from tokharness_tokenizers.descriptions.canonical import check_places, text_of
from tokharness_tokenizers.reference.subword_nmt import read_codes, read_vocabulary, vocabulary_path

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FORMAT", "describe", "write"]

FORMAT: Final = "subword-nmt"


def describe(path: Path) -> Description:
    """Describe codes; raises OSError, or ValueError if they or their vocabulary are damaged."""
    codes = read_codes(path)
    rows = starmap(TokenEntry, enumerate(read_vocabulary(path, codes)))
    stages = {"model": {"type": "BPE", "version": codes.version}}
    return Description(FORMAT, stages, tuple(rows), codes.merges)


def write(description: Description, folder: Path) -> Path:
    """Write codes and their vocabulary into a folder, and return the path of the codes.

    Raises:
        OSError: they cannot be written.
        ValueError: the format cannot have this content.

    """
    path, rows = folder / "codes.bpe", description.tokens
    check_places(rows)
    version = description.stages["model"]["version"]
    lines = [
        f"#version: {version}",
        *(f"{text_of(left)} {text_of(right)}" for left, right in description.merges or ()),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    counts = [f"{text_of(row.token)} {len(rows) - row.id}\n" for row in rows]
    vocabulary_path(path).write_text("".join(counts), encoding="utf-8", newline="\n")
    return path
