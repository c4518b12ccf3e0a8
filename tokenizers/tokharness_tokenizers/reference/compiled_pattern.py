"""A pattern of Oniguruma, compiled for ``regex`` and ``re``, and its matches in a text."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import regex

from tokharness.unicode import versions
from tokharness_tokenizers.reference.oniguruma import translate
from tokharness_tokenizers.reference.splitting import refuse_large

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.aligned import Span


@dataclass(frozen=True)
class CompiledPattern:
    """A pattern for both engines.

    ``full`` is a pattern of ``regex``; ``ascii`` is a pattern of ``re``, which is twice as fast but
    only matches ASCII text. ``table`` has stand-ins for the characters whose category changed.
    ``has_groups``: a back reference compares characters; ``may_be_empty``: a match may be empty.
    """

    full: Any
    ascii: Any
    table: dict[int, int]
    may_be_empty: bool
    has_groups: bool

    def engine(self, text: str) -> Any:
        """Return the engine that matches a text as it is; None if there is none."""
        if self.may_be_empty:
            return None
        if text.isascii():
            return self.ascii
        return self.full if not self.table or self._changed.isdisjoint(text) else None

    def find(self, text: str) -> list[Span]:
        """Return the spans of all matches."""
        if not text:
            return []
        engine = self.engine(text)
        if engine is not None:
            return [match.span() for match in engine.finditer(text)]
        if self.table:
            text = text.translate(self.table)
        if self.may_be_empty:
            return _spans(self.ascii if text.isascii() else self.full, text)
        return [match.span() for match in self.full.finditer(text)]

    def pieces(self, text: str) -> list[str] | None:
        """Return the matches and the text between them, if an engine can split the text itself."""
        engine = self.engine(text)
        if engine is None or self.has_groups:
            return None
        found: list[str] = engine.findall(text)
        if sum(map(len, found)) == len(text):
            return found
        return list(filter(None, _capturing(engine).split(text)))

    @cached_property
    def _changed(self) -> frozenset[str]:
        return frozenset(map(sys.intern, map(chr, self.table)))  # versions share the strings


@lru_cache(maxsize=64)
def compiled(pattern: str, version: str | None) -> CompiledPattern:
    """Compile a pattern, with the classes of a Unicode version.

    Raises:
        ValueError: the pattern is wrong or has no faithful translation, or the version is unknown.

    """
    pinned = None if version is None else versions.canonical(version)
    refuse_large(pattern)
    try:
        return _compiled(pattern, pinned)
    except RecursionError:
        raise ValueError(f"the pattern is nested too deep: {pattern[:60]!r}...") from None


def _compiled(pattern: str, pinned: str | None) -> CompiledPattern:
    translation = translate(pattern, version=pinned)
    table: dict[int, int] = {}
    if pinned is not None and pinned != versions.REGEX_VERSION:
        if translation.has_standins(pinned):
            table = versions.standins(pinned, versions.REGEX_VERSION)
        else:
            translation = translate(pattern, version=pinned, explicit=True)
    full = _regex(translation.expression, pattern)
    in_ascii = _re(translation.ascii) or full
    return CompiledPattern(full, in_ascii, table, translation.may_be_empty, translation.has_groups)


def _regex(expression: str, pattern: str) -> Any:
    try:
        return regex.compile(expression, regex.VERSION1)
    except regex.error as error:
        raise ValueError(f"the pattern does not compile ({error}): {pattern!r}") from error


def _re(expression: str) -> re.Pattern[str] | None:
    try:
        return re.compile(expression)
    except re.error:  # a look-behind of variable length, or \G
        return None


@lru_cache(maxsize=128)
def _capturing(engine: Any) -> Any:
    """Return a pattern with which ``split`` keeps the matches."""
    if isinstance(engine, re.Pattern):
        return re.compile(f"({engine.pattern})")
    return _regex(f"({engine.pattern})", engine.pattern)


def _spans(engine: Any, text: str) -> list[Span]:
    """Find matches, some of which may be empty."""
    spans: list[Span] = []
    at, last = 0, -1
    while at <= len(text) and (match := engine.search(text, at)):
        start, end = match.span()
        at = end if start < end else end + 1
        if start < end or end != last:
            spans.append((start, end))
            last = end
    return spans
