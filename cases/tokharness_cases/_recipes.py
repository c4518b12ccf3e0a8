"""Long texts before they are made: a unit again and again up to a length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from tokharness.unicode.properties import label

__all__ = ["LONG_UNITS", "WORDS", "Recipe", "Texts", "of_unit"]

LONG_UNITS = (
    *("a", "A", "0", " ", "\t", "\n", "\r\n", "-", "_", ".", "/", "\\", "'", "'s", "{}", "a "),
    *(" a", "1 ", "aB", "a1", "a\n", "\u00a0", "\u0e01", "\u4e2d", "\u05d0", "a\u0301", "\u200b"),
    *("\u200d", "\ufe0f", "\U000e0061", "\U0001f600", "\U00020000", "\ufffd", "\x00", "\u0301"),
    *("word ", "<|endoftext|>", "\ud55c", "\u1100", "\U0001f1e6", "\u0915\u094d", " \n", "\r"),
)
WORDS = "the quick brown fox jumps over 12 lazy dogs, doesn't it? "


@dataclass(frozen=True, slots=True)
class Recipe:
    """A text before it is made: a unit up to ``length`` characters, and what stands after."""

    why: str
    unit: str
    length: int
    after: str = ""

    @property
    def text(self) -> str:
        """The text, made now."""
        times = -(-self.length // len(self.unit))
        return (self.unit * times)[: self.length] + self.after


def of_unit(unit: str, length: int, after: str = "") -> Recipe:
    """A run of one unit."""
    what = " ".join(map(label, unit[:3]))
    return Recipe(
        f"{length} characters of {what}{' before a word' * bool(after)}", unit, length, after
    )


class Texts(Sequence[str]):
    """The texts of some recipes, each made when it is asked for."""

    def __init__(self, recipes: Sequence[Recipe]) -> None:
        self._recipes = recipes

    def __len__(self) -> int:
        return len(self._recipes)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        found = self._recipes[place]
        return found.text if isinstance(found, Recipe) else [one.text for one in found]
