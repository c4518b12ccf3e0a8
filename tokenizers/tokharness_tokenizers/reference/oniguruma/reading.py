"""Read a pattern: alternatives of branches of repeated atoms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.oniguruma.atoms import of_class, of_literal, read_escape
from tokharness_tokenizers.reference.oniguruma.brackets import read_bracket
from tokharness_tokenizers.reference.oniguruma.case import long_foldings
from tokharness_tokenizers.reference.oniguruma.groups import closed, read_opening
from tokharness_tokenizers.reference.oniguruma.named_classes import ANY, NOT_LINE_FEED
from tokharness_tokenizers.reference.oniguruma.parts import alternatives, anchor, sequence
from tokharness_tokenizers.reference.oniguruma.quantifiers import INTERVAL, repeated

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.oniguruma.parts import Options, Part
    from tokharness_tokenizers.reference.oniguruma.scanner import Scanner

__all__ = ["read_alternatives"]


def read_alternatives(scanner: Scanner, options: Options) -> Part:
    """Read all up to the end of the pattern or of the group."""
    branches = [_branch(scanner, options)]
    while scanner.take("|"):
        branches.append(_branch(scanner, options))
    return alternatives(branches)


def _branch(scanner: Scanner, options: Options) -> Part:
    start = scanner.at
    parts: list[Part] = []
    scanner.skip(extended=options.extended)
    while (char := scanner.peek()) and char not in "|)":
        parts.append(repeated(scanner, _atom(scanner, options), options))
    if options.fold:
        _check_foldings(scanner, parts, start)
    return sequence(parts, starts_with_any=_starts_with_any(scanner, parts, start))


def _check_foldings(scanner: Scanner, parts: list[Part], start: int) -> None:
    """Refuse literals of which several characters fold as a single one does."""
    text = "".join(part.literal.casefold() or "\0" for part in parts)
    if any(folding in text for folding in long_foldings()):
        raise scanner.unsupported("literals that fold to several characters", start)


def _starts_with_any(scanner: Scanner, parts: list[Part], start: int) -> bool:
    r"""Whether a branch begins with ``.*``; refuse ``\b.*`` and the like.

    Oniguruma looks for them at the starts of lines alone, and so misses matches.
    """
    at = next((i for i, part in enumerate(parts) if not part.has_no_width), len(parts))
    starts = at < len(parts) and parts[at].starts_with_any
    if starts and any(part.is_pin for part in parts[:at]):
        raise scanner.unsupported("'.*' after an anchor, where Oniguruma misses matches", start)
    return starts


def _atom(scanner: Scanner, options: Options) -> Part:
    start = scanner.at
    char = scanner.next("a pattern")
    if char in "*+?":
        raise scanner.error(f"a repeat {char!r} of nothing", start)
    if char == "{" and re.compile(INTERVAL).match(scanner.pattern, start):
        raise scanner.error("a repeat of nothing", start)
    if char == "(":
        return _group(scanner, options, start)
    if char == "[":
        return of_class(scanner, read_bracket(scanner, fold=options.fold))
    if char == ".":
        return of_class(scanner, ANY if options.dot_all else NOT_LINE_FEED)
    if char == "^":
        return anchor(r"(?:\A|(?<=\n)(?!\Z))", is_pin=False)
    if char == "$":
        return anchor(r"(?=\n|\Z)")
    if char == "\\":
        return read_escape(scanner, options, start)
    return of_literal(scanner, char, options)


def _group(scanner: Scanner, options: Options, start: int) -> Part:
    group = read_opening(scanner, options, start)
    inside = read_alternatives(scanner, group.options)
    if group.has_end and not scanner.take(")"):
        raise scanner.error("an unmatched '('", start)
    return closed(scanner, group, inside)
