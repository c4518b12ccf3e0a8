"""The place in a pattern that is read from left to right, and the state of the reading."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.oniguruma.classes import CharacterClass


@dataclass(slots=True)
class Scanner:
    """Reads a pattern, for a Unicode version if it is given.

    ``explicit``: the expression lists the characters of each class. ``classes`` has the classes
    that were read; ``groups`` is the number of capturing groups, ``closed`` has the numbers of
    complete groups, and ``names`` the numbers of named groups. ``has_names`` and
    ``has_references``: the whole pattern has groups with names, and back references.
    """

    pattern: str
    version: str | None = None
    explicit: bool = False
    at: int = 0
    classes: set[CharacterClass] = field(default_factory=set)
    groups: int = 0
    closed: set[int] = field(default_factory=set)
    names: dict[str, int] = field(default_factory=dict)
    has_names: bool = field(init=False)
    has_references: bool = field(init=False)

    def __post_init__(self) -> None:
        self.has_names = bool(re.search(r"\(\?(?:<(?![=!])|')", self.pattern))
        self.has_references = bool(re.search(r"\\(?:k|[1-9])", self.pattern))

    def error(self, what: str, at: int | None = None) -> ValueError:
        """Return an error of the pattern at a place, by default the current one."""
        place = self.at if at is None else at
        return ValueError(f"{what} at position {place} of the pattern {self.pattern!r}")

    def unsupported(self, what: str, at: int | None = None) -> ValueError:
        """Return the error for a construct without a translation, which Oniguruma may have."""
        return self.error(f"no faithful translation for {what}", at)

    def peek(self, ahead: int = 0) -> str:
        """Return the next character, or a character further ahead; "" at the end."""
        return self.pattern[self.at + ahead : self.at + ahead + 1]

    def next(self, inside: str) -> str:
        """Return the next character and skip it."""
        if self.at == len(self.pattern):
            raise self.error(f"an end within {inside}")
        self.at += 1
        return self.pattern[self.at - 1]

    def take(self, text: str) -> bool:
        """Skip a text if it is next."""
        if self.pattern.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    def match(self, expression: str) -> re.Match[str] | None:
        """Skip the match of an expression of ``re`` at this place, and return it."""
        found = re.compile(expression).match(self.pattern, self.at)
        if found:
            self.at = found.end()
        return found

    def until(self, end: str) -> str | None:
        """Return the text before the next ``end``, and skip both; None if there is none."""
        stop = self.pattern.find(end, self.at)
        if stop < 0:
            return None
        text = self.pattern[self.at : stop]
        self.at = stop + len(end)
        return text

    def skip(self, *, extended: bool) -> None:
        """Skip comments, and white space in the extended form."""
        while self._skip_comment() or (extended and self._skip_space()):
            pass

    def _skip_comment(self) -> bool:
        if not self.take("(?#"):
            return False
        while (char := self.next("a comment")) != ")":
            if char == "\\":
                raise self.unsupported("an escape in a comment")
        return True

    def _skip_space(self) -> bool:
        if self.take("#"):
            if self.until("\n") is None:
                self.at = len(self.pattern)
            return True
        if not self.peek().isspace():
            return False
        if self.peek() not in " \t\n\r\f\v":
            raise self.unsupported("non-ASCII white space in the extended form")
        self.at += 1
        return True
