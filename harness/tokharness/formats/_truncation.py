"""Truncation of lists of lines to the limits of a service."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["take_fitting"]

Line = TypeVar("Line", bound=str)


def take_fitting(lines: Iterable[Line], limit: int) -> list[Line]:
    """Return the first lines that fit into ``limit`` bytes of UTF-8, with their line ends."""
    fitting = []
    for line in lines:
        limit -= len(line.encode()) + 1
        if limit < 0:
            break
        fitting.append(line)
    return fitting
