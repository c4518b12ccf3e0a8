r"""Classes that have a name in Oniguruma, and their characters in a Unicode version."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

import regex

from tokharness.unicode import versions
from tokharness.unicode.properties import members
from tokharness_tokenizers.reference.oniguruma.classes import (
    CharacterClass,
    Chars,
    Not,
    Or,
    Property,
)

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
