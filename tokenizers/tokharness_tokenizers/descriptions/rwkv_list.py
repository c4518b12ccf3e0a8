"""RWKV's list of tokens; of two lines with one token the first is ``replaced``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tokharness.model import Description, TokenEntry
from tokharness_tokenizers.descriptions.canonical import REPLACED, replaced_first
from tokharness_tokenizers.reference import rwkv_list

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FORMAT", "describe", "write"]

FORMAT: Final = "RWKV list"


def describe(path: Path) -> Description:
    """Describe a list; raises OSError, or ValueError if it is damaged."""
    found = rwkv_list.load(path)
    rows = [TokenEntry(number, token) for token, number in found.model.ids.items()]
    others = found.other_ids.items()
    rows += [TokenEntry(number, token, type=REPLACED) for number, token in others]
    return Description(FORMAT, {"model": {"type": "longest match"}}, tuple(sorted(rows)))


def write(description: Description, folder: Path) -> Path:
    """Write a list into a folder, and return its path; raises OSError or ValueError."""
    path = folder / "vocabulary.txt"
    rows = replaced_first(description.tokens)
    lines = [f"{number} {token!r} {len(token)}\n" for number, token in rows]
    path.write_text("".join(lines), encoding="ascii")
    return path
