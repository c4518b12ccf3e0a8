"""A text on its way through the stages of a tokenizer, with the origin of each character."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Spans of tokens: the code points of the text that each token belongs to.


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


Span: TypeAlias = tuple[int, int]
"""Code points ``[start, end)``."""

Edit: TypeAlias = tuple[int, int, str]
"""The start and end of the replaced characters, and their replacement."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """A text, and for each of its characters the span of the original text that it came from.

    ``spans`` has an element for each character, or is None if no offsets are needed. An inserted
    character has the empty span at its place.
    """

    text: str
    spans: tuple[Span, ...] | None = None

    @classmethod
    def of(cls, text: str, *, start: int = 0) -> Aligned:
        """Return a text in which each character came from itself, from ``start`` on."""
        positions = range(start, start + len(text))
        return cls(text, tuple((position, position + 1) for position in positions))

    def __getitem__(self, part: slice) -> Aligned:
        return Aligned(self.text[part], None if self.spans is None else self.spans[part])

    def edit(self, edits: Sequence[Edit]) -> Aligned:
        """Apply edits, which are in order and do not overlap.

        The replacement of several characters has the span of all of them. If the replacement has
        the same number of characters, each comes from the character at the same place.
        """
        if not edits:
            return self
        text = edited(self.text, edits)
        if self.spans is None:
            return Aligned(text)
        spans: list[Span] = []
        at = 0
        for start, end, new in edits:
            spans += self.spans[at:start]
            if len(new) == end - start:
                spans += self.spans[start:end]
            else:
                spans += [self.span(start, end)] * len(new)
            at = end
        return Aligned(text, (*spans, *self.spans[at:]))

    def span(self, start: int, end: int) -> Span:
        """Return the span of the original text that the characters ``[start, end)`` came from."""
        spans = self.spans
        if spans is None:
            raise ValueError("a text without spans has no offsets")
        if start < end:
            return min(span[0] for span in spans[start:end]), max(s[1] for s in spans[start:end])
        place = spans[start][0] if start < len(spans) else spans[-1][1] if spans else 0
        return place, place


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits, which are in order and do not overlap, to a text."""
    parts: list[str] = []
    at = 0
    for start, end, new in edits:
        parts += (text[at:start], new)
        at = end
    return "".join((*parts, text[at:]))
