"""Cutting what is already in display form, and lists of it, to what a service accepts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["cut", "fitting"]

_WHOLE = re.compile(r"(?:\\\\|\\u\{[0-9a-f]+\}|\\x[0-9a-f]{2}|[^\\])*")


def cut(shown: str, most: int) -> str:
    """As much of a display form as takes ``most`` characters, with "..." if that is not all.

    No escape is cut in two.
    """
    if len(shown) <= most:
        return shown
    whole = _WHOLE.match(shown[: most - 3])
    return f"{whole[0] if whole else ''}..."


def fitting(lines: Iterable[str], most: int) -> list[str]:
    """The first lines that take at most ``most`` bytes of UTF-8, with their line ends."""
    kept = []
    for line in lines:
        most -= len(line.encode()) + 1
        if most < 0:
            break
        kept.append(line)
    return kept
