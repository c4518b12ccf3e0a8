"""Normalizers that change each character without a look at the others."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokharness_tokenizers.reference.aligned import Aligned

__all__ = ["CharacterMap", "Replacement", "character_class", "quick_class", "run_of"]

_ABOVE: Final = range(0x10000, 0x110000)


class CharacterMap:
    """What becomes of each character.

    ``changed`` has at least the characters that change. Only runs of these are looked at.
    """

    __slots__ = ("_changed", "table")

    def __init__(self, change: Callable[[str], str], changed: Iterable[int]) -> None:
        self.table: Final = _Table(change)
        self._changed = re.compile(run_of(quick_class(changed)))

    def normalize(self, text: str) -> str:
        """Return the text with each character changed."""
        return self._changed.sub(lambda run: run.group().translate(self.table), text)

    def apply(self, text: Aligned) -> Aligned:
        """Change each character of an aligned text; what it becomes has its span."""
        table = self.table
        runs = (run.span() for run in self._changed.finditer(text.text))
        places = (at for span in runs for at in range(*span))
        changes = ((at, text.text[at]) for at in places)
        news = ((at, char, table[ord(char)]) for at, char in changes)
        return text.edit([(at, at + 1, new) for at, char, new in news if new != char])


class Replacement(CharacterMap):
    """Replace each of some characters by the same text."""

    __slots__ = ("_found", "_replaced", "_text")

    def __init__(self, characters: Iterable[str], text: str) -> None:
        replaced = frozenset(characters)
        points = set(map(ord, replaced))
        super().__init__(lambda char: text if char in replaced else char, points)
        low = character_class(point for point in points if point not in _ABOVE)
        self._text = text
        self._replaced = re.compile(low if text else run_of(low)).sub
        self._found = re.compile(quick_class(points)).search

    def normalize(self, text: str) -> str:
        """Return the text with the characters replaced."""
        if (found := self._found(text)) is None:
            return text
        if found.group() >= "\U00010000":
            return text.translate(self.table)
        text = self._replaced(self._text, text)
        return text if self._found(text) is None else text.translate(self.table)


class _Table(dict[int, str]):
    """A table for ``str.translate``, whose entries are computed when they are first used."""

    __slots__ = ("_change",)

    def __init__(self, change: Callable[[str], str]) -> None:
        super().__init__()
        self._change = change

    def __missing__(self, point: int) -> str:
        new = self[point] = self._change(chr(point))
        return new


def character_class(points: Iterable[int]) -> str:
    """Return a class for ``re`` with these code points; a pattern that never matches if none."""
    runs = groupby(enumerate(sorted(set(points))), key=lambda item: item[1] - item[0])
    spans = [[point for _, point in run] for _, run in runs]
    escapes = "".join(f"\\U{span[0]:08x}-\\U{span[-1]:08x}" for span in spans)
    return f"[{escapes}]" if escapes else r"[^\s\S]"


def quick_class(points: Iterable[int]) -> str:
    """Return a class of the characters, or of more: if one is above U+FFFF, all that are.

    ``re`` finds characters up to U+FFFF in a table, and tries the ranges above it one by one.
    """
    known = set(points)
    low = {point for point in known if point not in _ABOVE}
    if low == known:
        return character_class(known)
    first = character_class(low).removesuffix("]") if low else "["
    return first + r"\U00010000-\U0010ffff]"


def run_of(one: str) -> str:
    """Return a pattern for a run of characters; ``re`` finds it faster than with ``+``."""
    return f"{one}{one}*"
