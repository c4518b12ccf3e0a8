"""Departures of ports in the search for added tokens in a text.

A port that looks at the start of a text, replaces the first occurrence, or joins the texts of
tokens to a pattern without escaping them finds other tokens than the file declares.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.added_tokens import AddedTokens, Cutter, Part

if TYPE_CHECKING:
    from collections.abc import Iterator

AT_START: Final = "are read at the start of a text alone"
ONCE: Final = "each one is read once in a text"
PATTERNS: Final = "their texts are patterns, as they are not escaped"
CUTTING_PATTERNS: Final = "their texts are patterns that cut a text, as they are not escaped"

SPECIAL: Final = frozenset("\\.^$*+?{}[]|()")
MOST_TOKENS, LONGEST, MOST_REPEATS = 64, 64, 2
"""Most tokens of a pattern, and most characters and repetitions of a token, which take time."""


def departing_searches(added: AddedTokens) -> Iterator[tuple[str, AddedTokens]]:
    """Yield departures of a search: a description, and the departing tokens."""
    cutters = (added.before, added.after)
    found: list[tuple[str, tuple[Cutter, ...]]] = [
        (AT_START, tuple(_AtStart(one.tokens, one.is_word) for one in cutters)),
        (ONCE, tuple(_Once(one.tokens, one.is_word) for one in cutters)),
    ]
    if any(_is_special(token.content) for token in added.tokens) and all(
        map(_may_be_read, cutters)
    ):
        found.append((PATTERNS, tuple(_Patterns(one.tokens, one.is_word) for one in cutters)))
        cutting = (_Patterns(one.tokens, one.is_word, cuts=True) for one in cutters)
        found.append((CUTTING_PATTERNS, tuple(cutting)))
    for what, (before, after) in found:
        yield what, replace(added, before=before, after=after)


class _AtStart(Cutter):
    """Added tokens that are read at the start of a text alone."""

    def cut(self, text: str, *, special: bool) -> Iterator[Part]:
        first, *others = [*super().cut(text, special=special)] or [(0, 0, None)]
        if first[0] == 0 and first[2] is not None and others:
            yield first
            yield first[1], len(text), None
        elif first[2] is not None and first[:2] == (0, len(text)):
            yield first
        elif text:
            yield 0, len(text), None


class _Once(Cutter):
    """Added tokens that are each read once in a text."""

    def cut(self, text: str, *, special: bool) -> Iterator[Part]:
        read: set[int] = set()
        begun: int | None = None
        for start, end, number in super().cut(text, special=special):
            if number is None or number in read:
                begun = start if begun is None else begun
                continue
            if begun is not None:
                yield begun, start, None
            read.add(number)
            yield start, end, number
            begun = None
        if begun is not None:
            yield begun, len(text), None


@dataclass(frozen=True)
class _Patterns(Cutter):
    """Added tokens whose texts are patterns; one that matches another text may only cut it."""

    cuts: bool = False

    @cached_property
    def _patterns(self) -> dict[bool, re.Pattern[str]]:
        return {special: _pattern_of(self, special=special) for special in (False, True)}

    def may_find(self, text: str, *, special: bool) -> bool:
        return self._patterns[special].search(text) is not None

    def cut(self, text: str, *, special: bool) -> Iterator[Part]:
        done = 0
        tokens = _read_tokens(self, special=special)
        for match in self._patterns[special].finditer(text):
            start, end = match.span()
            if start == end:
                continue
            if done < start:
                yield done, start, None
            name = match[0] if self.cuts else tokens[int((match.lastgroup or "t0")[1:])]
            is_token = name in self.tokens and name in tokens
            yield start, end, self.tokens[name].number if is_token else None
            done = end
        if done < len(text):
            yield done, len(text), None


def _read_tokens(cutter: Cutter, *, special: bool) -> list[str]:
    names = (text for text, one in cutter.tokens.items() if special or not one.special)
    return sorted(names, key=lambda text: (-len(text), text))


def _pattern_of(cutter: Cutter, *, special: bool) -> re.Pattern[str]:
    names = _read_tokens(cutter, special=special)
    groups = (f"(?P<t{place}>{name})" for place, name in enumerate(names))
    return re.compile("|".join(groups) or "(?!)")


def _is_special(text: str) -> bool:
    return not SPECIAL.isdisjoint(text)


def _may_be_read(cutter: Cutter) -> bool:
    """Whether all texts together are a pattern, which takes little time for any text."""
    if len(cutter.tokens) > MOST_TOKENS or max(map(len, cutter.tokens), default=0) > LONGEST:
        return False
    for text in cutter.tokens:
        repeats = sum(map(text.count, "*+{"))
        if repeats > MOST_REPEATS or re.search(r"\)[*+?{]|\\\d|\(\?", text):
            return False
    try:
        return _pattern_of(cutter, special=True) is not None
    except re.error:
        return False
