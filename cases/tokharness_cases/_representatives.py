"""One character of every class that a pre-token pattern may distinguish.

``STANDARD`` has those of the known patterns: every general category, the kinds of white space, the
letters of contractions, and scripts that patterns name. A given pattern adds more: all characters
that match the same of its atoms form one *cell*, and each cell needs a character.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from tokharness.unicode.properties import category
from tokharness_cases._pattern_atoms import atoms, compile_atom

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["STANDARD", "alphabets", "representatives"]

STANDARD = (
    "a 1.\n'A"  # plain characters first: they represent the cells of most patterns
    "\r\t/_-,"
    "stdmrevlSL\u017f\u212a"  # contractions, and characters that fold to s and k
    "\u2019\u2018"  # Pf, Pi
    "()<$^"  # Ps, Pe, Sm, Sc, Sk
    "\u3001\u00a9"  # Po, So outside ASCII
    "\u0663\u00bd\u2167"  # Nd, No, Nl
    "\u00e9\u0414\u01c5\u02b0"  # Ll, Lu, Lt, Lm outside ASCII
    "\u4e2d\u3042\u0e01"  # Lo: Han, Kana, Thai
    "\u0301\u0903\u20dd\ufe0f"  # Mn, Mc, Me, a variation selector
    "\x00\x1c\x85\u00a0\u3000\u2028\u2029"  # Cc, Zs, Zl, Zp: white space to some libraries
    "\u200b\u200d\u180e\ufeff"  # Cf, two of them white space to some
    "\U00020000\U0001f600"  # Lo, So outside the BMP
    "\ue000\u0378\uffff"  # Co, Cn, a noncharacter
)
MAX_REPRESENTATIVES, MAX_ALPHABETS = 90, 24
ALPHABET_SIZE, ALPHABET_STEP, MAX_CELLS = 5, 3, 16
"""Letters per alphabet, offset of the next alphabet, and most cells per alternative."""
ROW = 64
SAMPLED = (*range(0, 0x32400, ROW), *range(0xE0000, 0xE0200, ROW), 0x10FFC0)
_ESCAPED = re.compile(r"\\(?:x\{?|u\{?|U)([0-9A-Fa-f]{1,8})")


@lru_cache(maxsize=16)
def representatives(pattern: str | None) -> str:
    """Return the standard representatives, and one for each further cell of the pattern."""
    if pattern is None:
        return STANDARD
    sources = {atom.expression for atom in atoms(pattern)}
    # Other families have every spelling of case-insensitive contractions.
    expressions = [
        expression for expression in sorted(sources) if f"(?i:{expression})" not in sources
    ]
    chosen = _first_of_each_cell(expressions, pattern)
    return (STANDARD + "".join(char for char in chosen if char not in STANDARD))[
        :MAX_REPRESENTATIVES
    ]


@lru_cache(maxsize=16)
def alphabets(pattern: str | None) -> tuple[str, ...]:
    """Return small alphabets for each alternative of a pattern, with a character of each cell.

    An alternative with many cells has several alphabets. Each of them has the apostrophe, if there
    is one, since the letters after it mean nothing alone.
    """
    ordered: dict[str, None] = {}
    by_alternative: dict[int, list[str]] = {}
    for atom in atoms(pattern or ""):
        by_alternative.setdefault(atom.alternative, []).append(atom.expression)
    for expressions in list(by_alternative.values())[:MAX_ALPHABETS]:
        chosen = _first_of_each_cell(expressions, pattern or "")[:MAX_CELLS]
        first = "'" if "'" in chosen and len(chosen) > ALPHABET_SIZE else ""
        rest = chosen.replace("'", "") if first else chosen
        width = ALPHABET_SIZE - len(first)
        for start in range(0, max(len(rest) - width + ALPHABET_STEP, 1), ALPHABET_STEP):
            ordered[first + rest[start : start + width]] = None
    return tuple(ordered)[:MAX_ALPHABETS]


def _first_of_each_cell(expressions: Sequence[str], pattern: str) -> str:
    """Return the first character of each cell; standard characters come first."""
    chars = "".join(dict.fromkeys(STANDARD + _named_characters(pattern) + _samples()))
    cells = [0] * len(chars)
    for number, expression in enumerate(expressions):
        matching = compile_atom(expression)
        for match in matching.finditer(chars) if matching else ():
            for place in range(*match.span()):
                cells[place] |= 1 << number
    first: dict[int, str] = {}
    for cell, char in zip(cells, chars, strict=True):
        first.setdefault(cell, char)
    return "".join(first.values())


def _named_characters(pattern: str) -> str:
    """Return the characters that a pattern names, and their neighbours: the ends of its ranges."""
    named = [ord(char) for char in pattern] + [int(hexa, 16) for hexa in _ESCAPED.findall(pattern)]
    near = (point + step for step in (0, -1, 1) for point in dict.fromkeys(named))
    points = (point for point in near if 0 <= point < 0x110000)
    return "".join(chr(point) for point in points if not 0xD800 <= point < 0xE000)


@cache
def _samples() -> str:
    """Return ASCII and Latin-1, and one character per category of each row of 64 code points."""
    chosen = dict.fromkeys(map(chr, range(256)))
    for start in SAMPLED:
        row = [*map(chr, range(start, start + ROW))]
        last_of_each = dict(zip(map(category, row), row, strict=True))
        chosen.update(dict.fromkeys(last_of_each.values()))
    return "".join(char for char in chosen if category(char) != "Cs")
