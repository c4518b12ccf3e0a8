"""Recipes of long texts: a unit repeated up to a length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from tokharness.unicode.properties import label

LONG_UNITS = (
    *("a", "A", "0", " ", "\t", "\n", "\r\n", "-", "_", ".", "/", "\\", "'", "'s", "{}", "a "),
    *(" a", "1 ", "aB", "a1", "a\n", "\u00a0", "\u0e01", "\u4e2d", "\u05d0", "a\u0301", "\u200b"),
    *("\u200d", "\ufe0f", "\U000e0061", "\U0001f600", "\U00020000", "\ufffd", "\x00", "\u0301"),
    *("word ", "<|endoftext|>", "\ud55c", "\u1100", "\U0001f1e6", "\u0915\u094d", " \n", "\r"),
)
WORDS = "the quick brown fox jumps over 12 lazy dogs, doesn't it? "


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to generate a text: a unit repeated up to ``length`` characters, and a suffix."""

    why: str
    unit: str
    length: int
    after: str = ""

    @property
    def text(self) -> str:
        """The generated text."""
        times = -(-self.length // len(self.unit))
        return (self.unit * times)[: self.length] + self.after


@dataclass(frozen=True, slots=True)
class Ladder(Recipe):
    """How to generate words of each length from ``first`` to ``length``, each word of one unit."""

    first: int = 1
    between: str = " "

    @property
    def text(self) -> str:
        """The generated text."""
        lengths = range(self.first, self.length + 1)
        return self.between.join((self.unit * length)[:length] for length in lengths) + self.after


def run_of(unit: str, length: int, after: str = "") -> Recipe:
    """Return the recipe of a run of one unit."""
    what = " ".join(map(label, unit[:3]))
    return Recipe(
        f"{length} characters of {what}{' before a word' * bool(after)}", unit, length, after
    )


class RecipeTexts(Sequence[str]):
    """The texts of recipes, each generated on demand."""

    def __init__(self, recipes: Sequence[Recipe]) -> None:
        self._recipes = recipes

    def __len__(self) -> int:
        return len(self._recipes)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        chosen = self._recipes[place]
        return chosen.text if isinstance(chosen, Recipe) else [recipe.text for recipe in chosen]
