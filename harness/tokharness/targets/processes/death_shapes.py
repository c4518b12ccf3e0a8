"""The size above which all texts end the target's process, such as a number of characters.

After some deaths, a limit is searched for by bisection with synthetic texts. They are of several
kinds, so that the limit does not hold only for ASCII or letters. Texts above the limit are then
left out, and the finding names the limit.
"""

from __future__ import annotations

import functools
import string
from collections import Counter
from dataclasses import dataclass
from itertools import cycle, islice
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Maker: TypeAlias = Callable[[str, int], str]

VARIED = string.ascii_letters + string.digits + string.punctuation
IDEOGRAPHS = "".join(map(chr, range(0x4E00, 0x5E00)))
E_ACUTE, ACUTE = "\u00e9", "\u0301"


@dataclass(frozen=True, slots=True)
class Measure:
    """A size of a text, and functions that make a text of a size from one that ended the process.

    The limit is found with texts of the first function, and has to hold for texts of the other
    functions; the last function makes the simplest text.
    """

    words: str
    of: Callable[[str], int]
    makers: tuple[Maker, ...]


def _of_one_character(text: str) -> int:
    return max(Counter(text).values(), default=0)


def _most_frequent(text: str, size: int) -> str:
    return max(sorted(set(text)), key=text.count) * size


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _from(characters: str) -> Maker:
    """Return a function that makes texts of a number of characters by repeating these in turn."""
    return lambda _, size: "".join(islice(cycle(characters), size))


def _from_bytes(character: str) -> Maker:
    """Return a function that makes texts of a number of bytes from a character and the letter a."""
    width = _bytes(character)
    return lambda _, size: character * (size // width) + "a" * (size % width)


MEASURES = {
    "length": Measure(
        "longer than {:,} characters",
        len,
        (_from(VARIED), _from(IDEOGRAPHS), _from(ACUTE), _from(" "), _from("a")),
    ),
    "bytes": Measure(
        "longer than {:,} bytes of UTF-8",
        _bytes,
        (_from(VARIED), _from_bytes(E_ACUTE), _from_bytes(IDEOGRAPHS[0]), _from_bytes("a")),
    ),
    "of one character": Measure(
        "more than {:,} of one character",
        _of_one_character,
        (_most_frequent, _from(IDEOGRAPHS[0]), _from(" "), _from("a")),
    ),
}
"""Measures by name. A long text of many different characters has few of each character."""

OF_CHARACTER = "of U+"
"""Start of the name of a measure that counts one character; its code point follows."""


@functools.cache
def measure_of(name: str) -> Measure:
    """Return a measure by its name: one of ``MEASURES``, or the number of a character."""
    if not name.startswith(OF_CHARACTER):
        return MEASURES[name]
    character = chr(int(name.removeprefix(OF_CHARACTER), 16))
    alone, others = _from(character), VARIED.replace(character, "")
    return Measure(
        f"more than {{:,}} of {name.removeprefix('of ')}",
        lambda text: text.count(character),
        (
            alone,
            lambda _, size: "".join(f"{one}{character}" for one in islice(cycle(others), size)),
            alone,
        ),
    )


class FatalSizes:
    """The smallest size of a text that ended the process, and the largest size of a survivor."""

    def __init__(self) -> None:
        self.fatal: dict[str, int] = {}
        self.survived: Counter[str] = Counter()
        self._common: set[str] | None = None

    def add(self, text: str, *, died: bool) -> None:
        """Record how a text ended."""
        if died:
            self._common = set(text) if self._common is None else self._common & set(text)
        characters = {_name_of(character) for character in self._common or ()}
        for name in (*MEASURES, *characters):
            size = measure_of(name).of(text)
            if died:
                self.fatal[name] = min(size, self.fatal.get(name, size))
            else:
                self.survived[name] = max(size, self.survived[name])

    def separated(self) -> Iterable[str]:
        """Yield the measures in which each fatal text is larger than all survivors."""
        characters = sorted(_name_of(character) for character in self._common or ())
        for name in (*MEASURES, *characters):
            if self.fatal.get(name, 0) > self.survived[name]:
                yield name


def find_limit(name: str, text: str, sizes: FatalSizes, dies: Callable[[str], bool]) -> int | None:
    """Return the largest size of a synthetic text that survives; None if no size divides texts.

    ``text`` ended the process, and ``dies`` runs another text.
    """
    make, *others = measure_of(name).makers
    high, low = sizes.fatal[name], max(sizes.survived[name], 1)
    if high <= low or dies(make(text, low)) or not dies(make(text, high)):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if dies(make(text, middle)):
            high = middle
        else:
            low = middle
    if any(
        dies(other(text, low)) or not dies(other(text, high))
        for other in others
        if other is not make
    ):
        return None
    return low


def _name_of(character: str) -> str:
    return f"{OF_CHARACTER}{ord(character):04X}"
