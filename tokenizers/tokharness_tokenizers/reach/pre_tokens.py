"""The words that the components of a pre-tokenizer leave whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.unicode.versions import REGEX_VERSION
from tokharness_tokenizers.reach.pattern_graph import PatternGraph, graph_of
from tokharness_tokenizers.reach.words import (
    ANY_WORDS,
    PinnedWords,
    Words,
    words_of_pattern,
)
from tokharness_tokenizers.reference.compiled_pattern import CompiledPattern
from tokharness_tokenizers.reference.patterns import R50K
from tokharness_tokenizers.reference.pre_tokenizers.cutting import Split
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import ByteLevel
from tokharness_tokenizers.reference.pre_tokenizers.sequence import components_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from tokharness_tokenizers.reference.components import PreTokenizer


@dataclass(frozen=True, slots=True)
class _AllWords:
    """The texts that each of several components leaves whole.

    Where a word of the last component begins or ends, an earlier component may have cut the text.
    """

    parts: tuple[Words, ...]

    def holds(self, text: str) -> bool:
        return all(part.holds(text) for part in self.parts)

    def state(self, text: str) -> Hashable:
        return tuple(part.state(text) for part in self.parts)

    def begins(self, text: str) -> bool:
        return self.holds(text)

    ends_with = is_match = begins

    def goes_on(self, text: str, part: bytes) -> bool:
        return all(one.goes_on(text, part) for one in self.parts)

    def comes_before(self, part: bytes, text: str) -> bool:
        return all(one.comes_before(part, text) for one in self.parts)


@dataclass(frozen=True, slots=True)
class _MatchesAndTheRest:
    """The matches of a pattern, and the text between them."""

    matches: Words
    graph: PatternGraph

    def _is_rest(self, text: str) -> bool:
        return all(map(self.graph.may_leave_out, text))

    def holds(self, text: str) -> bool:
        return self.matches.holds(text) or self._is_rest(text)

    def state(self, text: str) -> Hashable:
        return self.matches.state(text), self._is_rest(text)

    def begins(self, text: str) -> bool:
        return self.matches.begins(text) or self._is_rest(text)

    def ends_with(self, text: str) -> bool:
        return self.matches.ends_with(text) or self._is_rest(text)

    def is_match(self, text: str) -> bool:
        return self.matches.is_match(text) or self._is_rest(text)

    def goes_on(self, text: str, part: bytes) -> bool:
        return self._is_rest(text) or self.matches.goes_on(text, part)

    def comes_before(self, part: bytes, text: str) -> bool:
        return self._is_rest(text) or self.matches.comes_before(part, text)


def words_of_pre_tokenizer(pre_tokenizer: PreTokenizer | None) -> Words:
    """Return the words that a pre-tokenizer leaves whole; any word if a component has no proof."""
    parts = tuple(map(_words_of, components_of(pre_tokenizer)))
    known = tuple(part for part in parts if part is not ANY_WORDS)
    if len(known) < 2:
        return known[0] if known else ANY_WORDS
    return _AllWords(known)


def _words_of(component: PreTokenizer) -> Words:
    if isinstance(component, ByteLevel) and component.use_regex:
        return words_of_pattern(R50K, component.version or REGEX_VERSION)
    if isinstance(component, Split) and component.behavior in ("Isolated", "Removed"):
        matcher = getattr(component.find, "__self__", None)
        if isinstance(matcher, CompiledPattern) and not matcher.has_groups:
            if component.invert and component.behavior == "Removed":
                return _matches(matcher)
            if not component.invert:
                return _words_of_matcher(matcher, keeps=component.behavior == "Isolated")
    return ANY_WORDS


def _matches(matcher: CompiledPattern) -> Words:
    """Return the matches of a pattern."""
    graph = graph_of(matcher.full.pattern, matcher.full.flags)
    return ANY_WORDS if graph is None else _pinned(graph, matcher)


def _pinned(graph: PatternGraph, matcher: CompiledPattern) -> Words:
    return PinnedWords(graph, matcher.table)


def _words_of_matcher(matcher: CompiledPattern, *, keeps: bool) -> Words:
    """Return the rest of the text, with or without the matches of a pattern."""
    graph = graph_of(matcher.full.pattern, matcher.full.flags)
    if graph is None or not keeps:
        return ANY_WORDS
    return _MatchesAndTheRest(_pinned(graph, matcher), graph)
