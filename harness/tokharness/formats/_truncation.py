"""Truncation of display forms, and of lists of them, to the limits of a service."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["take_fitting", "truncate"]

_WHOLE_ESCAPES = re.compile(r"(?:\\\\|\\u\{[0-9a-f]+\}|\\x[0-9a-f]{2}|[^\\])*")


def truncate(text: str, limit: int) -> str:
    """Truncate a display form to ``limit`` characters, with "..." at the end.

    No escape is split.
    """
    if len(text) <= limit:
        return text
    whole = _WHOLE_ESCAPES.match(text[: limit - 3])
    return f"{whole[0] if whole else ''}..."


def take_fitting(lines: Iterable[str], limit: int) -> list[str]:
    """Return the first lines that fit into ``limit`` bytes of UTF-8, with their line ends."""
    fitting = []
    for line in lines:
        limit -= len(line.encode()) + 1
        if limit < 0:
            break
        fitting.append(line)
    return fitting
