"""Quantifiers: ``*``, ``+?``, ``?+``, ``{1,2}?``, ``{2}+``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.oniguruma.named_classes import ANY, NOT_LINE_FEED

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.oniguruma.parts import Options, Part
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
