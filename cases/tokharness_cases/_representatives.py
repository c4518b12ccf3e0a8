"""One character of every class that a pre-token pattern may distinguish.

``STANDARD`` has the classes of the known patterns: every general category, the kinds of white
space, the letters of contractions, and scripts that patterns name. A given pattern adds more: all
characters that match the same of its atoms form one *cell*, and each cell needs a character.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import regex

from tokharness.unicode.properties import category

if TYPE_CHECKING:
    from collections.abc import Sequence

# The lexical syntax of pre-token patterns: the tokens of a regular expression.
#
# It covers ``regex``, fancy-regex and Oniguruma. The name of the group that matched last is the
# kind of a token.

_ESCAPE = r"""
    (?P<property>\\[pP](?:\{[^{}]*\}|\w))
  | (?P<escape>\\(?:N\{[^{}]*\}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[0-7]{3}|.))
"""
OUTSIDE = re.compile(
    rf"""
    (?P<ignored>\(\?\#[^)]*\)|\(\*\w+(?::[^)]*)?\)|\(\?(?:P[=>]|&)\w+\)|\\[kgL](?:<[^>]*>|\{{[^}}]*\}})
      |[*+?]|\{{\d*,?\d*\}}|[$^]|\\[AzZbBGKmMX1-9])
  | (?P<flags>\(\?(?P<on>[A-Za-z0-9]*)(?:-(?P<off>[A-Za-z]+))?(?P<end>[:)]))
  | (?P<group>\((?:\?(?:<?[=!]|[>|]|\(\w+\)|P?<\w+>|'\w+'))?)
  | (?P<end_group>\))
  | (?P<or>\|)
  | (?P<open>\[\^?\]?)
  | {_ESCAPE}
  | (?P<any>\.)
  | (?P<one>[^\\])
    """,
    re.VERBOSE | re.DOTALL,
)
_POINT = r"(?:\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[^\w]|[nrtfv0])|[^\\\[\]])"
INSIDE = re.compile(
    rf"""
    (?P<item>\[:\^?\w+:\]|{_POINT}-(?!-[^\]]){_POINT})
  | (?P<operator>&&|--|\|\||~~)
  | (?P<open>\[\^?\]?)
  | (?P<close>\])
  | {_ESCAPE}
  | (?P<one>[^\\])
    """,
    re.VERBOSE | re.DOTALL,
)


# The atoms of a pre-token pattern: its classes, properties, escapes and literals.
#
# ``atoms`` scans the source of a regular expression, in the syntax of ``regex``, fancy-regex or
# Oniguruma, for the expressions that match one character, and ignores groups, quantifiers and
# assertions. A class counts as a whole and by its items, and a case-insensitive expression with and
# without that flag, so that a pattern that is wrong in one such detail is distinguished as well.

MAX_PATTERN_LENGTH, MAX_ATOMS = 20_000, 400
"""Longer patterns and further atoms are ignored, since they take too much time."""
MAX_SINGLES, MAX_DEPTH = 8, 20
CLASSES = "dDwWsShHvVR"

_BRACED = re.compile(r"\\[xu]\{([0-9A-Fa-f]{1,6})\}|\\.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Atom:
    """An expression that matches one character, in the syntax of ``regex``, and its alternative."""

    expression: str
    alternative: int


@lru_cache(maxsize=64)
def atoms(pattern: str) -> tuple[Atom, ...]:
    """Return the atoms of a pattern in order, or none if its brackets do not match.

    Alternatives are those of the outermost group that has any, counted from 0.
    """
    if len(pattern) > MAX_PATTERN_LENGTH:
        return ()
    pattern = _BRACED.sub(_eight_digits, pattern)
    for nested in (True, False):  # in version 0 of `regex` a bracket in a class is a character
        scanner = _Scanner(pattern, nested)
        if scanner.scan():
            valid = (
                atom for atom in dict.fromkeys(scanner.result()) if compile_atom(atom.expression)
            )
            return tuple(islice(valid, MAX_ATOMS))
    return ()


@lru_cache(maxsize=1024)
def compile_atom(expression: str) -> regex.Pattern[str] | None:
    """Compile an atom to match runs of its characters; None if ``regex`` refuses it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `regex` warns of possible nested sets
        try:
            return regex.compile(f"{expression}+")
        except (regex.error, ValueError, OverflowError, RecursionError):
            return None


def _eight_digits(match: re.Match[str]) -> str:
    return f"\\U{int(match[1], 16):08x}" if match[1] else match[0]


@dataclass(slots=True)
class _Scanner:
    """The state of one scan over the source of a pattern."""

    pattern: str
    nested: bool
    flags: str = ""
    groups: list[str] = field(default_factory=list)
    bars: list[tuple[int, int]] = field(default_factory=list)  # place and depth of each `|`
    atoms: list[tuple[int, str]] = field(default_factory=list)  # place and expression

    def scan(self) -> bool:
        """Scan the whole pattern; return whether all brackets match."""
        place: int | None = 0
        while place is not None and place < len(self.pattern):
            token = OUTSIDE.match(self.pattern, place)
            place = self._step(token) if token else None
        return place is not None and not self.groups

    def result(self) -> list[Atom]:
        """Return the atoms with the numbers of their alternatives."""
        outermost = min((depth for _, depth in self.bars), default=0)
        ends = [place for place, depth in self.bars if depth == outermost]
        return [Atom(text, sum(end < place for end in ends)) for place, text in self.atoms]

    def _step(self, token: re.Match[str]) -> int | None:
        """Process a token; return the position of the next, or None if brackets do not match."""
        kind, place = token.lastgroup, token.end()
        if token["flags"]:
            self._set_flags(token)
        elif kind == "group":
            self.groups.append(self.flags)
        elif kind == "end_group":
            if not self.groups:
                return None
            self.flags = self.groups.pop()
        elif kind == "or":
            self.bars.append((token.start(), len(self.groups)))
        elif kind == "open":
            return self._class(token)
        elif kind in {"property", "escape", "any"}:
            self._add(token.start(), token[0])
        elif kind == "one":
            return self._literal(token[0], token.start())
        return place

    def _literal(self, char: str, place: int) -> int:
        """Process a literal character, or a character that a verbose pattern ignores."""
        if "x" in self.flags and char == "#":
            return (self.pattern + "\n").index("\n", place)
        if "x" not in self.flags or not char.isspace():
            self._add(place, re.escape(char))
        return place + 1

    def _set_flags(self, token: re.Match[str]) -> None:
        if token["end"] == ":":
            self.groups.append(self.flags)
        off = token["off"] or ""
        self.flags = "".join(flag for flag in self.flags + token["on"] if flag not in off)

    def _add(self, place: int, expression: str, version: str = "") -> None:
        self.atoms.append((place, version + expression))
        if "i" in self.flags:
            self.atoms.append((place, f"{version}(?i:{expression})"))

    def _class(self, opened: re.Match[str]) -> int | None:
        """Scan a class: its items, the items of nested classes, and then the class itself."""
        starts, place, version = [opened.start()], opened.end(), ""
        singles: list[list[tuple[int, str]]] = [[]]
        while starts:
            token = INSIDE.match(self.pattern, place)
            if token is None or len(starts) > MAX_DEPTH:
                return None
            kind, begin, place = token.lastgroup, token.start(), token.end()
            if kind == "open" and self.nested:
                starts.append(begin)
                singles.append([])
                version = "(?V1)"
            elif kind == "close":
                self._add_few(singles.pop())
                begin = starts.pop()
                self._add(begin, self.pattern[begin:place], version)
            elif kind == "operator":
                version = "(?V1)"
            elif kind == "escape" and token[0][1] not in CLASSES:
                singles[-1].append((begin, f"[{token[0]}]"))
            elif kind in {"item", "property", "escape"}:
                self._add(begin, f"[{token[0]}]")
            else:
                place = begin + 1
                singles[-1].append((begin, re.escape(token[0][0])))
        return place

    def _add_few(self, singles: list[tuple[int, str]]) -> None:
        """Add the single characters of a class, unless they are as many as all punctuation."""
        if len(singles) <= MAX_SINGLES:
            for place, expression in singles:
                self._add(place, expression)


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
    """Return the standard representatives, and a character for each further cell of the pattern."""
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

    An alternative with many cells has several alphabets. Each alphabet has the apostrophe, if the
    alternative has it, since the letters after it mean nothing alone.
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
    """Return ASCII and Latin-1, and a character per category of each row of 64 code points."""
    chosen = dict.fromkeys(map(chr, range(256)))
    for start in SAMPLED:
        row = [*map(chr, range(start, start + ROW))]
        last_of_each = dict(zip(map(category, row), row, strict=True))
        chosen.update(dict.fromkeys(last_of_each.values()))
    return "".join(char for char in chosen if category(char) != "Cs")
