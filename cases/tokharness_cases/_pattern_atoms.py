r"""The atoms of a pre-token pattern: its classes, properties, escapes and literals.

``atoms`` scans the source of a regular expression, in the syntax of ``regex``, fancy-regex or
Oniguruma, for the expressions that match one character, and ignores groups, quantifiers and
assertions. A class counts as a whole and by its items, and a case-insensitive expression with and
without that flag, so that a pattern that is wrong in one such detail is distinguished as well.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

import regex

from tokharness_cases._pattern_syntax import INSIDE, OUTSIDE

__all__ = ["Atom", "atoms", "compile_atom"]

MAX_PATTERN_LENGTH, MAX_ATOMS = 20_000, 400
"""Longer patterns and further atoms are ignored: they are not worth the time."""
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
        """Process a literal character, or one that a verbose pattern ignores."""
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
        """Scan a class: its items, those of nested classes, and then the class itself."""
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
