"""Why the stages before a model leave no word with a text, and where they cut the text.

A word that the components of a pre-tokenizer cut is no word.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Final

from tokharness.unicode.versions import REGEX_VERSION
from tokharness_tokenizers.reach.byte_tokens import ends_inside_character, is_part_of_utf8
from tokharness_tokenizers.reach.normalized import NormalizedTexts
from tokharness_tokenizers.reach.pattern_graph import PatternGraph, graph_of
from tokharness_tokenizers.reach.words import (
    ANY_WORDS,
    NO_WORD,
    NORMALIZED,
    NOT_UTF8,
    TAKEN_BEFORE,
    PinnedWords,
    Words,
    words_of_pattern,
)
from tokharness_tokenizers.reference.byte_characters import BYTE_OF, bytes_of
from tokharness_tokenizers.reference.compiled_pattern import CompiledPattern
from tokharness_tokenizers.reference.patterns import R50K
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import ByteLevel, Metaspace
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import (
    ClassCutter,
    UnicodeScripts,
    WhitespaceSplit,
)
from tokharness_tokenizers.reference.pre_tokenizers.sequence import (
    CharDelimiterSplit,
    FixedLength,
    Split,
    components_of,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from tokharness_tokenizers.reference.added_tokens import Cutter
    from tokharness_tokenizers.reference.components import PreTokenizer
    from tokharness_tokenizers.reference.word_ids import TextStages


# Which texts a pre-tokenizer that cuts at characters may leave within one word.
#
# The words of these pre-tokenizers have one property: each part of a word is cut at no place if it
# is a text of its own. So a text that is cut is part of no word.

MARK: Final = "\u2581"
CLOSED = (ClassCutter, WhitespaceSplit, CharDelimiterSplit, FixedLength)


def may_be_in_word(pre_tokenizer: PreTokenizer | None, text: str) -> bool:
    """Whether a word may have a text as a part: False is a proof, True is not."""
    parts = [text]
    for component in reversed(components_of(pre_tokenizer)):
        if not all(_may_hold(component, part) for part in parts):
            return False
        if isinstance(component, Metaspace):  # its mark may stand for a space, or for nothing
            mark = component.replacement
            parts = list(filter(None, chain.from_iterable(part.split(mark) for part in parts)))
    return True


def mark_of(pre_tokenizer: PreTokenizer | None) -> str:
    """Return the text that a space becomes."""
    marks = (
        component.replacement
        for component in components_of(pre_tokenizer)
        if isinstance(component, Metaspace)
    )
    return next(marks, MARK)


def _may_hold(component: PreTokenizer, text: str) -> bool:
    if isinstance(component, CLOSED):
        return component.words(text) == [text]
    if isinstance(component, Metaspace):
        mark = component.replacement
        if component.split_at_replacement and mark in text[1:]:
            return False
        return mark == " " or " " not in text
    if isinstance(component, UnicodeScripts):  # it leaves out characters without a script
        return len(component.words(text)) <= 1
    return True


LEADS: Final = (*range(0x80), *range(0xC2, 0xF5))
"""The bytes that begin characters."""


@dataclass(frozen=True)
class WordStages:
    """The stages that a text passes before a model reads its words."""

    stages: TextStages

    @cached_property
    def mark(self) -> str:
        """The text that a space becomes."""
        return mark_of(self.stages.pre_tokenizer)

    @cached_property
    def writes_bytes(self) -> bool:
        """Whether the characters of words stand for bytes."""
        components = components_of(self.stages.pre_tokenizer)
        return any(isinstance(one, ByteLevel) for one in components)

    @cached_property
    def _words(self) -> Words:
        """The words of the patterns; any words if a pattern matches other text than the words."""
        components = components_of(self.stages.pre_tokenizer)
        changes = (ByteLevel, Metaspace)
        if any(isinstance(one, changes) for one in components[: -1 if self.writes_bytes else None]):
            return ANY_WORDS
        return words_of_pre_tokenizer(self.stages.pre_tokenizer)

    @cached_property
    def normalized(self) -> NormalizedTexts:
        """The texts that the normalizer may leave."""
        return NormalizedTexts(self.stages.normalizer, self.mark)

    def reason(self, text: str) -> str:
        """Return why no word has a text as a part; "" if one may have it."""
        if self.writes_bytes:
            if not set(text) <= BYTE_OF.keys():
                return NO_WORD
            data = bytes_of(text)
            if not is_part_of_utf8(data):
                return NOT_UTF8
            text = data.decode("utf-8", "ignore")
        if not self.normalized.may_have(text):
            return NORMALIZED
        if not self._words.holds(text) or not may_be_in_word(self.stages.pre_tokenizer, text):
            return NO_WORD
        return TAKEN_BEFORE if self.is_taken(text) else ""

    def is_taken(self, text: str) -> bool:
        """Whether added tokens take a part of each text that contains this text."""
        return any(one in text for one in self._taken)

    def may_go_on(self, text: str) -> bool:
        """Whether a word may have more characters after a text: False is a proof, True is not."""
        if self.writes_bytes:
            data = bytes_of(text)
            if not is_part_of_utf8(data) or ends_inside_character(data):
                return True
            text = data.decode("utf-8", "ignore")
        return any(self._words.goes_on(text, bytes([lead])) for lead in LEADS)

    @cached_property
    def _taken(self) -> list[str]:
        """The texts that added tokens always take from normalized texts."""
        added = self.stages.added
        is_plain = self.stages.normalizer is None
        cutters = (added.after, added.before) if is_plain else (added.after,)
        found = [text for cutter in cutters for text in _always_found(cutter)]
        return [text for text in found if self.mark not in text and " " not in text]


def _always_found(cutter: Cutter) -> Iterator[str]:
    """Yield texts whose every occurrence is taken by an added token."""
    rows = cutter.tokens.items()
    counts = {text for text, token in rows if not (token.special or token.single_word)}
    hides = cutter.tokens.keys() - counts
    for text in counts:
        if not any(_may_hide(other, text) for other in hides):
            yield text


def _may_hide(other: str, text: str) -> bool:
    """Whether a match of a text may hide a match of another text, since it overlaps it."""
    ends = (other[-size:] for size in range(1, min(len(other), len(text)) + 1))
    return text in other or any(map(text.startswith, ends))


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

    def are_ascii(self) -> bool:
        return any(one.are_ascii() for one in self.parts)


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

    def are_ascii(self) -> bool:
        return False  # the rest is any text that no match has


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
