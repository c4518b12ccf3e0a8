"""Sets of characters in a Unicode version, as a class of ``regex``, and classes with a name."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from itertools import chain, groupby
from typing import TYPE_CHECKING, Final, TypeAlias

import regex

from tokharness.unicode import versions
from tokharness.unicode.properties import members

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
    """Return the changed code points whose image, a character of today, has the property."""
    points = _changed_by_category(version)
    images = "".join(map(versions.STANDINS.__getitem__, points))
    having = frozenset(regex.findall(node.expression(), images))
    found = [one for one in points if versions.STANDINS[one] in having]
    if not node.is_script:
        return frozenset(chain.from_iterable(points[one] for one in found))
    assigned = chain.from_iterable(points[one] for one in points if one != "Cn")
    members = map(ord, regex.findall(node.expression(), "".join(map(chr, assigned))))
    return frozenset(members).union(points["Cn"] if "Cn" in found else ())


@lru_cache(maxsize=4)
def _changed_by_category(version: str) -> dict[str, list[int]]:
    """Return the code points whose category changed, by their category in a version."""
    points: dict[str, list[int]] = {}
    for point in versions.changed(version, versions.REGEX_VERSION):
        points.setdefault(versions.category_in(chr(point), version), []).append(point)
    return points


def _escape(point: int) -> str:
    char = chr(point)
    if char.isascii() and char.isalnum():
        return char
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


# The characters that a class has in a Unicode version, and whether stand-ins are right for it.
#
# For code points with the same category as in the installed ``regex``, ``regex`` itself is asked.


def among(node: CharacterClass, text: str, version: str | None) -> frozenset[int]:
    """Return which characters of a text a class has in a version."""
    points = _now_among(node, text)
    if version is None:
        return points
    changed = _changed(version)
    return (points - changed) | node.among(changed.intersection(map(ord, text)), version)


@lru_cache(maxsize=256)
def every_character(node: CharacterClass, version: str) -> Chars:
    """Return all characters that a class has in a version."""
    changed = _changed(version)
    points = frozenset(members(f"(?V1){node.expression()}"))
    return Chars.of((points - changed) | node.among(changed, version))


@lru_cache(maxsize=256)
def has_standins(node: CharacterClass, version: str) -> bool:
    """Whether a class has the stand-in of a code point if it has the code point in the version.

    This holds for general categories, but not for all scripts and literals.
    """
    table = versions.standins(version, versions.REGEX_VERSION)
    if isinstance(node, Chars) and not node.among(_concerned(version), version):
        return True
    found = _now_among(node, "".join(map(chr, frozenset(table.values()))))
    standing_for = frozenset(point for point, image in table.items() if image in found)
    return node.among(frozenset(table), version) == standing_for


def _now_among(node: CharacterClass, text: str) -> frozenset[int]:
    if isinstance(node, Chars):
        return node.among(frozenset(map(ord, text)), versions.REGEX_VERSION)
    return frozenset(map(ord, regex.findall(node.expression(), text, regex.VERSION1)))


@cache
def _concerned(version: str) -> frozenset[int]:
    """Return the code points that have stand-ins, and these."""
    table = versions.standins(version, versions.REGEX_VERSION)
    return frozenset(table) | frozenset(table.values())


@cache
def _changed(version: str) -> frozenset[int]:
    return frozenset(versions.changed(version, versions.REGEX_VERSION))


ANY: Final = Chars(((0, 0x10FFFF),))
NOT_LINE_FEED: Final = Not(Chars(((0x0A, 0x0A),)))

_WHITE_SPACE: Final = Property("White_Space")
_DIGIT: Final = Property("Nd")
_HEX_DIGIT: Final = Chars(((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)))
_ALPHABETIC: Final = Property("Alphabetic")
_LOWERCASE: Final = Property("Lowercase")
_UPPERCASE: Final = Property("Uppercase")
_CASED_LETTER: Final = Or((Property("Lu"), Property("Ll"), Property("Lt")))
_ALPHANUMERIC: Final = Or((_ALPHABETIC, _DIGIT))
_GRAPH: Final = Not(Or((_WHITE_SPACE, Property("Cc"), Property("Cn"), Property("Cs"))))

WORD: Final = Or((_ALPHABETIC, Property("M"), _DIGIT, Property("Pc")))
r"""``\w`` in brackets."""

QUICK_WORD: Final = Or((*WORD.parts, Chars(((0xB2, 0xB3), (0xB9, 0xB9), (0xBC, 0xBE)))))
r"""``\w`` outside of brackets, and the word characters of ``\b``."""

PUNCTUATION: Final = Property("P")
r"""``\p{Punct}``, and ``[[:punct:]]`` in old versions."""

POSIX: Final[dict[str, CharacterClass]] = {
    "alnum": _ALPHANUMERIC,
    "alpha": _ALPHABETIC,
    "ascii": Chars(((0, 0x7F),)),
    "blank": Or((Property("Zs"), Chars(((9, 9),)))),
    "cntrl": Property("Cc"),
    "digit": _DIGIT,
    "graph": _GRAPH,
    "lower": _LOWERCASE,
    "print": Or((_GRAPH, Property("Zs"))),
    "punct": Or((PUNCTUATION, Property("S"))),
    "space": _WHITE_SPACE,
    "upper": _UPPERCASE,
    "word": WORD,
    "xdigit": _HEX_DIGIT,
}
_SMALL: Final[dict[str, CharacterClass]] = {
    "w": WORD,
    "d": _DIGIT,
    "s": _WHITE_SPACE,
    "h": _HEX_DIGIT,
}
ESCAPES: Final = _SMALL | {letter.upper(): Not(node) for letter, node in _SMALL.items()}
DERIVED: Final = (_LOWERCASE, _ALPHABETIC, _ALPHANUMERIC)
"""Classes in which old characters changed too, in 16.0 or shortly before."""

_PROPERTIES: Final[dict[str, CharacterClass]] = {
    **POSIX,
    "punct": PUNCTUATION,
    "any": ANY,
    "assigned": Not(Property("Cn")),
    "lc": _CASED_LETTER,
    "casedletter": _CASED_LETTER,
    "alphabetic": _ALPHABETIC,
    "lowercase": _LOWERCASE,
    "uppercase": _UPPERCASE,
    "whitespace": _WHITE_SPACE,
    "emoji": Property("Emoji"),
}


@lru_cache(maxsize=256)
def property_named(name: str, version: str | None) -> CharacterClass | None:
    """Return a property by its name, or None if it has no translation.

    Spaces, hyphens, underscores and case do not matter. Oniguruma has the names and aliases of
    general categories, scripts and some binary properties, without a prefix such as ``gc=``. It
    lacks scripts that are newer than its version.
    """
    short = re.sub("[ _-]", "", name).lower()
    if not (name.isascii() and short.isalpha()):
        return None
    if short in _PROPERTIES:
        return _PROPERTIES[short]
    category, script = Property(f"gc={short}"), Property(f"Script={short}", is_script=True)
    if _compiles(category):
        return category
    if not _compiles(script):
        return None
    now = members(script.expression())
    return script if (now if version is None else every_character(script, version).ranges) else None


def _compiles(node: Property) -> bool:
    try:
        regex.compile(node.expression())
    except regex.error:
        return False
    return True
