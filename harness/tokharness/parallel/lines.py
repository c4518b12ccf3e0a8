"""The lines of a file in UTF-8."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.errors import UsageError
from tokharness.regular_files import read_file

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["lines_of", "text_of"]


def text_of(path: Path) -> str:
    """Return the text of a file, without a byte order mark.

    Raises:
        UsageError: it is not UTF-8.
        OSError: it cannot be read.

    """
    data = read_file(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(f"line {line} of {path} is not UTF-8: convert the file") from None


def lines_of(text: str) -> list[str]:
    """Return the lines of a text; only line feeds separate them."""
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
