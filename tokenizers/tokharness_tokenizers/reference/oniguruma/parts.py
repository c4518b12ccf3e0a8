"""The state of the reading of a pattern, and its translated parts, with quantifiers and joined."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.oniguruma.classes import ANY, NOT_LINE_FEED

if TYPE_CHECKING:
    from collections.abc import Sequence

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


@dataclass(frozen=True, slots=True)
class Options:
    """What holds where a part of a pattern is.

    ``fold``: case is ignored. ``dot_all``: the dot matches a line feed. ``extended``: white space
    and comments are skipped. ``behind``: the part is in a look-behind.
    """

    fold: bool = False
    dot_all: bool = False
    extended: bool = False
    behind: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    r"""A translated part of a pattern, for ``regex`` and for ``re``.

    ``may_be_empty``: it can match the empty text; ``has_no_width``: it only matches the empty text.
    ``is_anchor``: it may not be repeated. ``has_anchor``: it has an anchor outside of look-arounds.
    ``is_pin``: it has an anchor other than ``^`` and ``\A``. ``has_variable_repeat``: it has a
    quantifier with several numbers. ``starts_with_any``: it begins with ``.*``. ``literal``: the
    characters that it matches, if they are always the same except for case.
    """

    expression: str
    ascii: str
    may_be_empty: bool = False
    has_no_width: bool = False
    is_anchor: bool = False
    has_anchor: bool = False
    is_pin: bool = False
    has_variable_repeat: bool = False
    starts_with_any: bool = False
    literal: str = ""

    def wrapped(self, opening: str) -> Part:
        """Return the part in a group, which may be repeated and is not joined with literals."""
        return replace(
            self,
            expression=f"{opening}{self.expression})",
            ascii=f"{opening}{self.ascii})",
            is_anchor=False,
            literal="",
        )


def anchor(expression: str, in_ascii: str | None = None, *, is_pin: bool = True) -> Part:
    """Return a part that matches places."""
    return Part(
        expression,
        expression if in_ascii is None else in_ascii,
        may_be_empty=True,
        has_no_width=True,
        is_anchor=True,
        has_anchor=True,
        is_pin=is_pin,
    )


def alternatives(parts: Sequence[Part]) -> Part:
    """Join alternative parts."""
    if len(parts) == 1:
        return parts[0]
    return replace(
        _joined(parts, "|"),
        may_be_empty=any(part.may_be_empty for part in parts),
        is_anchor=any(part.is_anchor for part in parts),
        starts_with_any=any(part.starts_with_any for part in parts),
    )


def sequence(parts: Sequence[Part], *, starts_with_any: bool) -> Part:
    """Join parts that match one after another."""
    literal = "".join(part.literal for part in parts)
    return replace(
        _joined(parts, ""),
        may_be_empty=all(part.may_be_empty for part in parts),
        is_anchor=len(parts) == 1 and parts[0].is_anchor,
        literal=literal if all(part.literal for part in parts) else "",
        starts_with_any=starts_with_any,
    )


def _joined(parts: Sequence[Part], separator: str) -> Part:
    return Part(
        separator.join(part.expression for part in parts),
        separator.join(part.ascii for part in parts),
        has_no_width=all(part.has_no_width for part in parts),
        has_anchor=any(part.has_anchor for part in parts),
        is_pin=any(part.is_pin for part in parts),
        has_variable_repeat=any(part.has_variable_repeat for part in parts),
    )


INTERVAL: Final = r"\{(?:([0-9]+)(?:(,)([0-9]*))?|,([0-9]+))\}"
_ANY_EXPRESSIONS: Final = {ANY.expression(), NOT_LINE_FEED.expression()}
_MAX_REPEATS: Final = 100_000  # ONIG_MAX_REPEAT_NUM
_SIGNS: Final[dict[str, tuple[int, int | None]]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


@dataclass(frozen=True, slots=True)
class _Quantifier:
    """``text`` has no suffix, which is "" or "?" or "+"; without ``most`` there is no limit."""

    text: str
    suffix: str
    least: int
    most: int | None


def repeated(scanner: Scanner, part: Part, options: Options) -> Part:
    """Return a part with the quantifiers that follow it, and skip comments between them."""
    scanner.skip(extended=options.extended)
    start = scanner.at
    is_any = part.expression in _ANY_EXPRESSIONS
    last = ""
    while quantifier := _read_quantifier(scanner, options):
        if part.is_anchor:
            raise scanner.error("a repeat of an anchor", start)
        if part.may_be_empty and quantifier.text != "?":
            raise scanner.unsupported("a repeat of what may be empty", start)
        if last in _SIGNS:
            raise scanner.unsupported("a repeat of a repeat", start)
        part = _quantified(part, quantifier)
        if is_any and quantifier.most is None and quantifier.suffix != "?":
            part = replace(part, starts_with_any=True)
        last = quantifier.text
        scanner.skip(extended=options.extended)
    return part


def _quantified(part: Part, quantifier: _Quantifier) -> Part:
    if quantifier.least == quantifier.most == 1:  # Oniguruma ignores it, too
        return part
    expression, in_ascii = (
        (text if part.literal or _is_class(text) else f"(?:{text})")
        + quantifier.text
        + quantifier.suffix
        for text in (part.expression, part.ascii)
    )
    return replace(
        part,
        expression=expression,
        ascii=in_ascii,
        may_be_empty=part.may_be_empty or quantifier.least == 0,
        has_variable_repeat=part.has_variable_repeat or quantifier.least != quantifier.most,
        literal="",
    )


def _is_class(text: str) -> bool:
    """Whether an expression is a single bracket or escape, which a quantifier may follow."""
    if text.startswith("["):
        return "[" not in text[1:].replace("\\[", "") and text.endswith("]")
    return bool(re.fullmatch(r"\\[pP]\{[^}]*\}|\\x..|\\u....|\\U........|\w", text, re.ASCII))


def _read_quantifier(scanner: Scanner, options: Options) -> _Quantifier | None:
    start = scanner.at
    if (sign := scanner.peek()) not in _SIGNS:
        return _read_interval(scanner)
    scanner.at += 1
    suffix = "?" if scanner.take("?") else "+" if scanner.take("+") else ""
    if suffix == "+" and options.behind:
        raise scanner.unsupported("a possessive repeat in a look-behind", start)
    return _Quantifier(sign, suffix, *_SIGNS[sign])


def _read_interval(scanner: Scanner) -> _Quantifier | None:
    r"""Return ``{n}``, which has no suffix, or ``{n,m}``, ``{n,}`` or ``{,m}``."""
    start = scanner.at
    found = scanner.match(INTERVAL)
    if not found:
        return None
    least, most = int(found[1] or 0), int(found[3] or found[4] or 0)
    if max(least, most) > _MAX_REPEATS:
        raise scanner.error("a repeat number that is too big", start)
    if found[2] is None and found[4] is None:
        return _Quantifier(f"{{{least}}}", "", least, least)
    suffix = "?" if scanner.take("?") else ""
    if not (found[3] or found[4]):
        return _Quantifier(f"{{{least},}}", suffix, least, None)
    if least > most:
        raise scanner.unsupported("a repeat with its numbers exchanged", start)
    return _Quantifier(f"{{{least},{most}}}", suffix, least, most)
