"""How many items stand in one request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["item_length", "request_parts"]

MAX_TEXTS = 250
MAX_CHARACTERS = 50_000
"""Per request; a longer text has a request of its own."""


def request_parts(items: Sequence[Any]) -> list[list[Any]]:
    """Split items into requests of at most ``MAX_TEXTS`` and ``MAX_CHARACTERS``."""
    parts: list[list[Any]] = []
    room = 0
    for item in items:
        if not parts or len(parts[-1]) >= MAX_TEXTS or room < item_length(item):
            parts.append([])
            room = MAX_CHARACTERS
        parts[-1].append(item)
        room -= item_length(item)
    return parts


def item_length(item: Any) -> int:
    """Return the number of characters, ids or bytes of an item; 1 for a number."""
    return 1 if isinstance(item, int) else len(item)
