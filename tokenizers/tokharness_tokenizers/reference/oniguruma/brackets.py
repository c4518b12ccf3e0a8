"""Classes in brackets, ``[a-z[:digit:]&&[^0]]``, and the escapes in them.

Characters that differ only in case come from simple case folding (UAX #44, ``CaseFolding.txt``).
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

import regex

from tokharness.unicode import versions
from tokharness.unicode.properties import members
from tokharness_tokenizers.reference.oniguruma.classes import (
    ANY,
    DERIVED,
    ESCAPES,
    POSIX,
    PUNCTUATION,
    And,
    Chars,
    Not,
    Or,
    among,
    property_named,
)

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.oniguruma.classes import CharacterClass
    from tokharness_tokenizers.reference.oniguruma.parts import Scanner

# Escapes that mean the same in brackets and outside of them: ``\w``, ``\p{L}``, ``\x41``.

_CONTROLS: Final = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "a": 7, "e": 0x1B}
_NUMBERS: Final = (
    ("x", r"\{([0-9A-Fa-f]{1,8})\}", 16, 0x10FFFF),
    ("o", r"\{([0-7]{1,11})\}", 8, 0x10FFFF),
    ("x", r"([0-9A-Fa-f]{1,2})", 16, 0x7F),
    ("u", r"([0-9A-Fa-f]{4})", 16, 0xFFFF),
    ("0", r"([0-7]{0,2})", 8, 0x7F),
)
"""Letter, form, base and highest value; a higher value is a raw byte or not a code point."""


def read_class_escape(scanner: Scanner, char: str) -> CharacterClass | None:
    r"""Return the class of an escape such as \w or \p{L}, or None if it is not a class.

    ``char`` is the character after the backslash, which is read.
    """
    if char in ESCAPES:
        return ESCAPES[char]
    start = scanner.at - 2
    if char not in "pP" or not scanner.take("{"):
        return None
    name = scanner.until("}")
    if name is None:
        raise scanner.error("a property without end", start)
    negative = (char == "P") is not name.startswith("^")
    name = name.removeprefix("^")
    node = property_named(name, scanner.version)
    if node is None:
        raise scanner.error(f"the unknown or untranslated property {name!r}", start)
    node = _in_version(scanner, node, start)
    return Not(node) if negative else node


def read_posix(scanner: Scanner) -> CharacterClass | None:
    """Return a POSIX class, whose first bracket is read, or None if there is none."""
    start = scanner.at - 1
    if not (found := scanner.match(r":(\^?)(\w+):\]")):
        if scanner.peek() == ":":
            raise scanner.unsupported("a class that begins with ':' in a class")
        return None
    if found[2] not in POSIX:
        raise scanner.error(f"the unknown POSIX class {found[2]!r}", start)
    node = _in_version(scanner, POSIX[found[2]], start)
    return Not(node) if found[1] else node


def _in_version(scanner: Scanner, node: CharacterClass, start: int) -> CharacterClass:
    """Return a class in the version; see the exceptions of :class:`~.classes.Property`."""
    version = tuple(map(int, (scanner.version or "16.0").split(".")))
    if version >= (16, 0):
        return node
    if node == POSIX["punct"]:
        if version > (14, 0):
            raise scanner.unsupported(f"[[:punct:]] of Unicode {scanner.version}", start)
        return PUNCTUATION
    if node in DERIVED:
        raise scanner.unsupported(f"this property of Unicode {scanner.version}", start)
    return node


def read_code_point(scanner: Scanner, char: str, start: int) -> int:
    """Return the code point of an escaped character, which is read."""
    if char in _CONTROLS:
        return _CONTROLS[char]
    for letter, form, base, highest in _NUMBERS:
        if char == letter and (found := scanner.match(form)):
            value = int(found[1] or "0", base)
            if value > highest or 0xD800 <= value <= 0xDFFF:
                raise scanner.unsupported(f"the raw byte or code point {value:#x}", start)
            return value
    if char.isascii() and char.isalnum():
        raise scanner.unsupported(f"the escape \\{char}", start)
    return ord(char)


_HYPHEN: Final = 0x2D
_BACKSPACE: Final = 8


def read_bracket(scanner: Scanner, *, fold: bool = False) -> CharacterClass:
    """Return a class, whose first bracket is read.

    Oniguruma ignores case before it takes the complement, but not in nested classes.
    """
    start = scanner.at - 1
    negative = scanner.take("^")
    operands: list[CharacterClass] = []
    items = _first_items(scanner, start)
    while not scanner.take("]"):
        if scanner.take("&&"):
            operands.append(_union(scanner, items, start))
            items = []
        else:
            items.append(_item(scanner, first=not items))
    last = _union(scanner, items, start)
    node: CharacterClass = And((*operands, last)) if operands else last
    if fold:
        node = folded(node, scanner.version)
        if not negative and has_long_folding(node, scanner.version):
            what = "a class with characters that fold to several ones"
            raise scanner.unsupported(what, start)
    return Not(node) if negative else node


def _first_items(scanner: Scanner, start: int) -> list[CharacterClass]:
    """Read a closing bracket that is the first item, if another closing bracket comes later."""
    if not scanner.take("]"):
        return []
    if "]" not in scanner.pattern[scanner.at :]:
        raise scanner.error("an empty class", start)
    return [_range(scanner, ord("]"))]


def _union(scanner: Scanner, items: list[CharacterClass], start: int) -> CharacterClass:
    if not items:
        raise scanner.unsupported("an intersection with nothing", start)
    flat = list(chain.from_iterable(i.parts if isinstance(i, Or) else (i,) for i in items))
    listed = Chars.union(part for part in flat if isinstance(part, Chars))
    rest = [part for part in flat if not isinstance(part, Chars)]
    if any(Not(part) in rest for part in rest):
        return ANY  # `regex` takes the complement of such a class for any character, too
    parts = (*rest, listed) if listed.ranges else tuple(rest)
    return parts[0] if len(parts) == 1 else Or(parts)


def _item(scanner: Scanner, *, first: bool) -> CharacterClass:
    start = scanner.at
    char = scanner.next("a class")
    if char == "[":
        if not (posix := read_posix(scanner)):
            return read_bracket(scanner)
        return _without_range(scanner, posix, start)
    if char == "\\":
        escaped = scanner.next("an escape")
        if (node := read_class_escape(scanner, escaped)) is not None:
            return _without_range(scanner, node, start)
        return _range(scanner, _code_point(scanner, escaped, start))
    if char == "-" and scanner.peek() != "]" and (not first or scanner.peek() in {"-", "&", "["}):
        raise scanner.unsupported("this hyphen in a class", start)
    return _range(scanner, ord(char))


def _code_point(scanner: Scanner, escaped: str, start: int) -> int:
    return _BACKSPACE if escaped == "b" else read_code_point(scanner, escaped, start)


def _continues(scanner: Scanner) -> bool:
    """Whether the next character is a hyphen that is not the last item of a class."""
    return scanner.peek() == "-" and scanner.peek(1) not in {"]", ""}


def _without_range(scanner: Scanner, node: CharacterClass, start: int) -> CharacterClass:
    if _continues(scanner):
        raise scanner.error("a range that begins with a class", start)
    return node


def _range(scanner: Scanner, first: int) -> CharacterClass:
    """Read the rest of a range, if a range begins with the character before."""
    start = scanner.at
    if 0xD800 <= first <= 0xDFFF:
        raise scanner.error("a surrogate")
    if not _continues(scanner):
        return Chars(((first, first),))
    scanner.at += 1
    char = scanner.next("a class")
    last = ord(char)
    if char == "[" or (char == "&" and scanner.peek() == "&"):
        raise scanner.unsupported("this range", start)
    if char == "\\":
        escaped = scanner.next("an escape")
        if read_class_escape(scanner, escaped) is not None:
            raise scanner.error("a range that ends with a class", start)
        last = _code_point(scanner, escaped, start)
    if last < first or 0xD800 <= last <= 0xDFFF:
        raise scanner.error("an empty range", start)
    if not _continues(scanner):
        return Chars(((first, last),))
    # The hyphen after a range stands for itself in ``[a-c-e]``.
    scanner.at += 1
    if scanner.peek() in {"-", "[", "&", "\\"}:
        raise scanner.unsupported("this hyphen after a range")
    return Chars(((first, last), (_HYPHEN, _HYPHEN)))


_CASED: Final = r"[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]"
_TURKIC: Final = "\u0130\u0131"
"""The letters I with and without a dot, which ``regex`` treats as differing only in case."""


@lru_cache(maxsize=4096)
def equivalents(char: str, version: str | None) -> frozenset[int]:
    """Return the characters with the same simple case folding, itself included."""
    if char in _TURKIC or not regex.match(_CASED, char):
        return frozenset({ord(char)})
    same = regex.findall(regex.escape(char), _foldable(), regex.IGNORECASE | regex.VERSION0)
    same = [other for other in same if other not in _TURKIC]
    if version is not None:
        assigned = [c for c in same if versions.category_in(c, version) != "Cn"]
        same = assigned if char in assigned else [char]
    return frozenset(map(ord, same))


def folded(node: CharacterClass, version: str | None) -> CharacterClass:
    """Return the class with all characters that differ from its characters only in case."""
    points = among(node, _foldable(), version)
    same = (equivalents(chr(point), version) for point in points)
    more = frozenset(chain.from_iterable(same)) - points
    return Or((node, Chars.of(more))) if more else node


def has_long_folding(node: CharacterClass, version: str | None) -> bool:
    """Whether a character of the class folds to several characters, as U+00DF to "ss"."""
    return any(len(chr(p).casefold()) > 1 for p in among(node, _foldable(), version))


@cache
def long_foldings() -> frozenset[str]:
    """Return all foldings of a character to several characters; the same since Unicode 5.1."""
    return frozenset(fold for char in _foldable() if len(fold := char.casefold()) > 1)


@cache
def _foldable() -> str:
    return "".join(map(chr, members(_CASED)))
