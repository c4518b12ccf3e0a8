"""Spans of tokens: the code points of the text that each token belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["spans_in_original", "token_spans"]


def token_spans(tokens: Iterable[bytes]) -> list[tuple[int, int]]:
    """Return ``[start, end)`` in code points for tokens whose joined bytes are valid UTF-8.

    A token covers each character that one of its bytes belongs to.
    """
    spans = []
    characters = 0  # whose first byte precedes this position
    for token in tokens:
        starts_inside = token[0] & 0xC0 == 0x80  # begins with a continuation byte
        start = characters - starts_inside
        characters += sum(byte & 0xC0 != 0x80 for byte in token)
        spans.append((start, characters))
    return spans


def spans_in_original(
    spans: list[tuple[int, int]], original: str, joined: str
) -> list[tuple[int, int]]:
    """Convert spans in a text with joined surrogate pairs to spans in the original text."""
    if len(original) == len(joined):
        return spans
    positions = [0]
    for character in joined:
        position = positions[-1]
        is_pair = ord(character) > 0xFFFF and ord(original[position]) <= 0xFFFF
        positions.append(position + 1 + is_pair)
    return [(positions[start], positions[end]) for start, end in spans]
