r"""Long texts: runs of one unit, and a character across each border of a buffer.

A pattern that backtracks overflows its stack or takes quadratic time on a run of one character; a
merge loop that looks through all pairs again after each merge is quadratic in the length of a
pre-token; a buffer of 4,096 bytes cuts a character in two; a limit truncates, silently. Around
each border (128, 256, ... 65,536 characters, and bytes of UTF-8) a text ends one before it, on it
and one after it, and a character of two, three or four bytes lies across it in every way.

The texts are made as they are asked for.

Source: UTF-8 (the Unicode Standard, chapter 3, D92); reports of published tokenizers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, overload

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label
from tokharness_cases._family import NO_FACTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy", "texts"]

UNITS = (
    *("a", "A", "0", " ", "\t", "\n", "\r\n", "-", "_", ".", "/", "\\", "'", "'s", "{}", "a "),
    *(" a", "1 ", "aB", "a1", "a\n", "\u00a0", "\u0e01", "\u4e2d", "\u05d0", "a\u0301", "\u200b"),
    *("\u200d", "\ufe0f", "\U000e0061", "\U0001f600", "\U00020000", "\ufffd", "\x00", "\u0301"),
    *("word ", "<|endoftext|>"),
)
LENGTHS = (1_000, 10_000)
BORDERS = tuple(2**power for power in (7, 8, 9, 10, 12, 13, 14, 16))
ACROSS = ("\u00e9", "\u4e2d", "\U0001f600")
WORDS = "the quick brown fox jumps over 12 lazy dogs, doesn't it? "


@dataclass(frozen=True, slots=True)
class _Recipe:
    """A text before it is made: a unit again and again up to a length, and what stands after."""

    why: str
    unit: str
    length: int
    after: str = ""

    @property
    def text(self) -> str:
        times = -(-self.length // len(self.unit))
        return (self.unit * times)[: self.length] + self.after


@cache
def _recipes() -> tuple[_Recipe, ...]:
    return (*_borders(), *_runs())


def _borders() -> Iterator[_Recipe]:
    for border in BORDERS:
        for length in (border - 1, border, border + 1):
            yield _Recipe(f"{length} characters", WORDS, length)
        for character in ACROSS:
            for before in range(1, len(character.encode())):
                why = f"{label(character)} with {before} bytes before the border of {border}"
                yield _Recipe(why, WORDS, border - before, f"{character}'s end")


def _runs() -> Iterator[_Recipe]:
    for unit in UNITS:
        for length in LENGTHS:
            why = f"{length} characters of {' '.join(map(label, unit[:3]))}"
            yield _Recipe(why, unit, length)
        yield _Recipe(f"{why} before a word", unit, LENGTHS[0], "word")


class _Texts(Sequence[str]):
    """The texts, each made when it is asked for."""

    def __len__(self) -> int:
        return len(_recipes())

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        found = _recipes()[place]
        return found.text if isinstance(found, _Recipe) else [one.text for one in found]


def texts(facts: TargetFacts = NO_FACTS) -> Sequence[str]:
    """Texts of the cases, in their order."""
    return _Texts()


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every long text, in a fixed order."""
    return (Case(recipe.text, recipe.why) for recipe in _recipes())


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Runs of random units, one after another."""
    from hypothesis import strategies as st

    run = st.tuples(st.sampled_from(UNITS), st.sampled_from((1, 2, 3, 10, 100, 1000)))
    return st.lists(run.map(lambda pair: pair[0] * pair[1]), min_size=1, max_size=3).map("".join)
