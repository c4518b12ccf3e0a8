"""Ways to write ASCII in other characters, which filters miss and normalizers undo."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING

from tokharness.unicode.confusables import confusables_of
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import members

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MATH_STYLES = {
    "bold": (0x1D400, 0x1D7CE),
    "italic": (0x1D434, None),
    "bold italic": (0x1D468, None),
    "script": (0x1D49C, None),
    "bold script": (0x1D4D0, None),
    "fraktur": (0x1D504, None),
    "double-struck": (0x1D538, 0x1D7D8),
    "bold fraktur": (0x1D56C, None),
    "sans-serif": (0x1D5A0, 0x1D7E2),
    "sans-serif bold": (0x1D5D4, 0x1D7EC),
    "sans-serif italic": (0x1D608, None),
    "sans-serif bold italic": (0x1D63C, None),
    "monospace": (0x1D670, 0x1D7F6),
}
"""First code point of the 52 letters, and of the digits if any, of each mathematical style."""

# Letters that the mathematical block lacks because Letterlike Symbols already had them.
_LETTERLIKE = {
    "italic": {"h": 0x210E},
    "script": {"B": 0x212C, "E": 0x2130, "F": 0x2131, "H": 0x210B, "I": 0x2110, "L": 0x2112}
    | {"M": 0x2133, "R": 0x211B, "e": 0x212F, "g": 0x210A, "o": 0x2134},
    "fraktur": {"C": 0x212D, "H": 0x210C, "I": 0x2111, "R": 0x211C, "Z": 0x2128},
    "double-struck": {"C": 0x2102, "H": 0x210D, "N": 0x2115, "P": 0x2119}
    | {"Q": 0x211A, "R": 0x211D, "Z": 0x2124},
}
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_FULLWIDTH = {code_point: code_point + 0xFEE0 for code_point in range(0x21, 0x7F)} | {0x20: 0x3000}
_TAGS = {code_point: code_point + 0xE0000 for code_point in range(0x20, 0x7F)}


def to_fullwidth(text: str) -> str:
    """Write ASCII in fullwidth forms, which NFKC undoes."""
    return text.translate(_FULLWIDTH)


def to_tags(text: str) -> str:
    """Write ASCII in tag characters, which no font shows."""
    return text.translate(_TAGS)


def to_mathematical(text: str, style: str) -> str:
    """Write ASCII letters and digits in a mathematical style, if it has them."""
    return text.translate(_style(style))


@cache
def _style(style: str) -> dict[int, int]:
    letters, digits = MATH_STYLES[style]
    table = {ord(letter): letters + number for number, letter in enumerate(_LETTERS)}
    if digits is not None:
        table |= {ord("0") + number: digits + number for number in range(10)}
    return table | {ord(letter): new for letter, new in _LETTERLIKE.get(style, {}).items()}


def compatibility_variants(char: str) -> tuple[str, ...]:
    """Return the other characters that NFKC turns into this ASCII character."""
    return _compatible().get(char, ())


@cache
def _compatible() -> Mapping[str, tuple[str, ...]]:
    variants: dict[str, list[str]] = defaultdict(list)
    for code_point in members(r"\p{NFKC_QC=No}"):
        plain = normalize("NFKC", chr(code_point))
        if plain.isascii():
            variants[plain].append(chr(code_point))
    return {plain: tuple(chars) for plain, chars in variants.items()}


@cache
def non_ascii_confusables(char: str) -> tuple[str, ...]:
    """Return the confusables of a character outside ASCII, single characters first."""
    others = (other for other in confusables_of(char) if not other.isascii())
    return tuple(sorted(others, key=lambda other: (len(other), other)))


def interleave(text: str, char: str) -> str:
    """Insert a character between every two characters of the text."""
    return char.join(text)


def replace_one(text: str, choices: int = 1) -> Iterator[str]:
    """Yield the text with one character replaced by one of its first confusables."""
    for place, char in enumerate(text):
        for other in non_ascii_confusables(char)[:choices]:
            yield text[:place] + other + text[place + 1 :]
