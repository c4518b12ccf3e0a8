"""Sets of characters, as a class of ``regex`` and with their content in older Unicode versions."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import chain, groupby
from typing import TYPE_CHECKING, TypeAlias

import regex

from tokharness.unicode import versions

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Chars:
    """Characters, as ranges of code points."""

    ranges: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, points: frozenset[int]) -> Chars:
        """Return the class of some code points."""
        runs = groupby(enumerate(sorted(points)), key=lambda item: item[1] - item[0])
        lists = ([point for _, point in run] for _, run in runs)
        return cls(tuple((run[0], run[-1]) for run in lists))

    @classmethod
    def union(cls, parts: Iterable[Chars]) -> Chars:
        """Return the class of all characters of some classes, each as ranges."""
        ranges: list[tuple[int, int]] = []
        for first, last in sorted(chain.from_iterable(part.ranges for part in parts)):
            if ranges and first <= ranges[-1][1] + 1:
                ranges[-1] = ranges[-1][0], max(last, ranges[-1][1])
            else:
                ranges.append((first, last))
        return cls(tuple(ranges))

    def items(self) -> str:
        """Return the items of the class between brackets in ``regex``."""
        return "".join(
            _escape(first) if first == last else f"{_escape(first)}-{_escape(last)}"
            for first, last in self.ranges
        )

    def expression(self) -> str:
        """Return an expression of ``regex`` for one character of the class."""
        if not self.ranges:
            return "(?!)"
        first, last = self.ranges[0]
        is_single = len(self.ranges) == 1 and first == last
        return self.items() if is_single else f"[{self.items()}]"

    def among(self, points: frozenset[int], version: str) -> frozenset[int]:
        """Return the code points that the class has, which are the same in all versions."""
        del version
        if sum(last - first + 1 for first, last in self.ranges) <= len(points):
            own = (range(first, last + 1) for first, last in self.ranges)
            return points.intersection(chain.from_iterable(own))
        ranges = Chars.union((self,)).ranges
        firsts = [first for first, _ in ranges]
        places = ((point, bisect_right(firsts, point)) for point in points)
        return frozenset(point for point, at in places if at and point <= ranges[at - 1][1])


@dataclass(frozen=True, slots=True)
class Property:
    """A property by its name in ``regex``.

    A code point that was unassigned in an older version is treated like a code point that is
    unassigned now. If the category of another code point changed, its script did not change, but
    properties that are derived from categories did. This is exact for all scripts, Uppercase and
    Emoji in Unicode 14.0 and 16.0, as measured in ``tokenizers`` 0.20.3 and 0.23.3. Alphabetic and
    Lowercase are exact in 16.0.
    """

    name: str
    is_script: bool = False

    def items(self) -> str:
        """Return the expression of the property, valid between brackets and outside of them."""
        return rf"\p{{{self.name}}}"

    expression = items

    def among(self, points: frozenset[int], version: str) -> frozenset[int]:
        """Return the code points, whose category changed, that have the property in a version."""
        return points & _members_of_changed(self, version)

    def character_in(self, point: int, version: str) -> str:
        """Return a character that now has the properties of the code point in a version."""
        category = versions.category_in(chr(point), version)
        if self.is_script and category != "Cn":
            return chr(point)
        return versions.STANDINS[category]


@dataclass(frozen=True, slots=True)
class Not:
    """All characters outside a class."""

    part: CharacterClass

    def items(self) -> str:
        """Return the expression of the class, valid between brackets and outside of them."""
        if isinstance(self.part, Property):
            return rf"\P{{{self.part.name}}}"
        return f"[^{self.part.items()}]"

    expression = items

    def among(self, points: frozenset[int], version: str) -> frozenset[int]:
        """Return the code points, whose category changed, that are in the class in a version."""
        return points - self.part.among(points, version)


@dataclass(frozen=True, slots=True)
class Or:
    """The characters of any of some classes."""

    parts: tuple[CharacterClass, ...]

    def items(self) -> str:
        """Return the items of the class between brackets in ``regex``."""
        return "".join(part.items() for part in self.parts)

    def expression(self) -> str:
        """Return an expression of ``regex`` for one character of the class."""
        return f"[{self.items()}]"

    def among(self, points: frozenset[int], version: str) -> frozenset[int]:
        """Return the code points, whose category changed, that are in the class in a version."""
        return frozenset(chain.from_iterable(part.among(points, version) for part in self.parts))


@dataclass(frozen=True, slots=True)
class And:
    """The characters that are in all of some classes."""

    parts: tuple[CharacterClass, ...]

    def items(self) -> str:
        """Return the expression of the class, valid between brackets and outside of them."""
        return "[" + "&&".join(f"[{part.items()}]" for part in self.parts) + "]"

    expression = items

    def among(self, points: frozenset[int], version: str) -> frozenset[int]:
        """Return the code points, whose category changed, that are in the class in a version."""
        return reduce(frozenset.__and__, (part.among(points, version) for part in self.parts))


CharacterClass: TypeAlias = "Chars | Property | Not | Or | And"


@lru_cache(maxsize=256)
def _members_of_changed(node: Property, version: str) -> frozenset[int]:
    changed = versions.changed(version, versions.REGEX_VERSION)
    images = "".join(node.character_in(point, version) for point in changed)
    found = frozenset(regex.findall(node.expression(), images))
    return frozenset(p for p, image in zip(changed, images, strict=True) if image in found)


def _escape(point: int) -> str:
    char = chr(point)
    if char.isascii() and char.isalnum():
        return char
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
