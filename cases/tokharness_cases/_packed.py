"""Texts of many characters, each in the same context, generated on demand.

A fault of one character in a million is found by trying all characters. Packed, they cost a
fraction of separate texts, and only a packed text that fails is taken apart (group testing).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol, overload

from tokharness.unicode.properties import label
from tokharness_cases._contexts import BASIC, Context

if TYPE_CHECKING:
    from collections.abc import Iterable

PACKED = 64
"""Characters in a packed text."""

ALONE = BASIC[0]


class Slices(Protocol):
    """Texts of which any slice can be made."""

    def __len__(self) -> int: ...
    def texts(self, start: int, stop: int) -> list[str]:
        """Return the texts from number ``start`` to before ``stop``."""
        ...


@dataclass(frozen=True, slots=True)
class Part:
    """A context, the characters to put into it, and the number of characters in one text."""

    context: Context
    characters: str
    packed: int = 1

    def __len__(self) -> int:
        return (len(self.characters) + self.packed - 1) // self.packed

    def texts(self, start: int, stop: int) -> list[str]:
        """Return the texts of a slice, in one call for all characters."""
        chars = self.characters[start * self.packed : stop * self.packed]
        if self.context == ALONE:
            return list(chars)
        if self.packed == 1:
            return list(map(self.context.around, chars))
        return [
            self._pack(chars[place : place + self.packed])
            for place in range(0, len(chars), self.packed)
        ]

    def _pack(self, chars: str) -> str:
        context = self.context
        pieces = chars if context.times == 1 else [char * context.times for char in chars]
        return context.before + (context.after + context.before).join(pieces) + context.after

    def why(self, number: int) -> str:
        """Return what is hostile about a text."""
        chars = self.characters[number * self.packed : (number + 1) * self.packed]
        if len(chars) == 1:
            return f"{label(chars)}, {self.context.name}"
        return f"{len(chars)} characters from {label(chars[0])}, each {self.context.name}"


class PackedTexts(Sequence[str]):
    """The texts of several parts, each generated on demand."""

    def __init__(self, parts: Sequence[Slices]) -> None:
        self._parts = parts
        self._ends = list(accumulate(map(len, self._parts)))

    def __len__(self) -> int:
        return self._ends[-1]

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, int):
            index = range(len(self))[place]
            return self[index : index + 1][0]
        start, stop, step = place.indices(len(self))
        texts: list[str] = []
        for part, end in zip(self._parts, self._ends, strict=True):
            begin = end - len(part)
            if start < end and stop > begin:
                texts += part.texts(max(start - begin, 0), stop - begin)
        return texts[::step]


def unpacked(text: str, contexts: Iterable[Context], shown_in: Sequence[Context]) -> list[str]:
    """Return a text for each character of a text that is packed in one of the contexts.

    The text has the character in the contexts ``shown_in``, and in the context of the packed text.
    """
    for context in contexts:
        place, size = len(context.before), len(context.around("x"))
        if len(text) > size and len(text) % size == 0 and text.startswith(context.before):
            chars = text[place::size]
            if "".join(map(context.around, chars)) == text:
                all_contexts = dict.fromkeys((*shown_in, context))
                return ["".join(each.around(char) for each in all_contexts) for char in chars]
    return []
