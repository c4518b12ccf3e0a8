r"""Escapes that mean the same in brackets and outside of them: ``\w``, ``\p{L}``, ``\x41``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.oniguruma.classes import Not
from tokharness_tokenizers.reference.oniguruma.named_classes import (
    DERIVED,
    ESCAPES,
    POSIX,
    PUNCTUATION,
    property_named,
)

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.oniguruma.classes import CharacterClass
    from tokharness_tokenizers.reference.oniguruma.scanner import Scanner

__all__ = ["read_class_escape", "read_code_point", "read_posix"]

_CONTROLS: Final = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "a": 7, "e": 0x1B}
_NUMBERS: Final = (
    ("x", r"\{([0-9A-Fa-f]{1,8})\}", 16, 0x10FFFF),
    ("o", r"\{([0-7]{1,11})\}", 8, 0x10FFFF),
    ("x", r"([0-9A-Fa-f]{1,2})", 16, 0x7F),
    ("u", r"([0-9A-Fa-f]{4})", 16, 0xFFFF),
    ("0", r"([0-7]{0,2})", 8, 0x7F),
)
"""Letter, form, base and highest value; a higher one is a raw byte or no code point."""


def read_class_escape(scanner: Scanner, char: str) -> CharacterClass | None:
    r"""Return the class of an escape such as \w or \p{L}, or None if it has none.

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
    """Return a class as it is in the version; see the exceptions of :class:`~.classes.Property`."""
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
