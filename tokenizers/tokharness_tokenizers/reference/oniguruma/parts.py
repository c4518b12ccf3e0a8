"""Translated parts of a pattern, how they are joined, and quantifiers: ``*``, ``?+``, ``{2}+``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.oniguruma.classes import ANY, NOT_LINE_FEED

if TYPE_CHECKING:
    from collections.abc import Sequence


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


if TYPE_CHECKING:
    from tokharness_tokenizers.reference.oniguruma.scanner import Scanner

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
