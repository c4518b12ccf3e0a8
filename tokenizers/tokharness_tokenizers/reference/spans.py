"""From tokens back to the text: which code points each token's bytes belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["in_original", "token_spans"]


def token_spans(tokens: Iterable[bytes]) -> list[tuple[int, int]]:
    """Return ``[start, end)`` in code points for tokens whose bytes, joined, are valid UTF-8.

    A token covers each character that one of its bytes belongs to.
    """
    found = []
    begun = 0  # characters of which the first byte has been seen
    for token in tokens:
        inside = token[0] & 0xC0 == 0x80  # begins with a continuation byte
        start = begun - inside
        begun += sum(byte & 0xC0 != 0x80 for byte in token)
        found.append((start, begun))
    return found


def in_original(found: list[tuple[int, int]], original: str, joined: str) -> list[tuple[int, int]]:
    """Move spans from a text with its surrogate pairs joined to the text as it was given."""
    if len(original) == len(joined):
        return found
    places = [0]
    for character in joined:
        here = places[-1]
        paired = ord(character) > 0xFFFF and ord(original[here]) <= 0xFFFF
        places.append(here + 1 + paired)
    return [(places[start], places[end]) for start, end in found]
