"""Which texts a pre-tokenizer may leave within one word, and the reasons why no text holds a token.

An answer may be "yes" too often, and never "no": a "no" is part of a proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import regex

from tokharness.unicode import versions
from tokharness_tokenizers.reference.reach.pattern_graph import PatternGraph, graph_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


__all__ = [
    "ANY_WORDS",
    "BETTER_SEGMENTATION",
    "MERGED_WITH_NEIGHBOURS",
    "NORMALIZED",
    "NOT_UTF8",
    "NO_MERGES",
    "NO_WORD",
    "TAKEN_BEFORE",
    "PinnedWords",
    "Words",
    "words_of_pattern",
]

NO_MERGES = "no merges lead to it"
NO_WORD = "no pre-token can hold it"
NOT_UTF8 = "no UTF-8 text has its bytes"
MERGED_WITH_NEIGHBOURS = "it joins its neighbours in every pre-token that can hold it"
BETTER_SEGMENTATION = "another segmentation of its text is always better"
NORMALIZED = "the normalizer never leaves its text"
TAKEN_BEFORE = "an added or special token always takes its text"


class Words(Protocol):
    """The texts of words."""

    def holds(self, text: str) -> bool:
        """Whether a word may have this text as a part."""
        ...

    def begins(self, text: str) -> bool:
        """Whether a word may begin with this text."""
        ...

    def ends_with(self, text: str) -> bool:
        """Whether a word may end with this text."""
        ...

    def is_match(self, text: str) -> bool:
        """Whether a word may be this text."""
        ...


@dataclass(frozen=True, slots=True)
class _AnyWords:
    """Without a pre-tokenizer: any text."""

    def holds(self, text: str) -> bool:  # noqa: ARG002
        return True

    begins = ends_with = is_match = holds


ANY_WORDS: Words = _AnyWords()


@dataclass(frozen=True, slots=True)
class PinnedWords:
    """The words of a pattern at a Unicode version; ``translate`` puts stand-ins into a text."""

    graph: PatternGraph
    translate: Callable[[str], str]

    def holds(self, text: str) -> bool:
        """Whether a word may have this text as a part."""
        return self.graph.holds(self.translate(text))

    def begins(self, text: str) -> bool:
        """Whether a word may begin with this text."""
        return self.graph.begins(self.translate(text))

    def ends_with(self, text: str) -> bool:
        """Whether a word may end with this text."""
        return self.graph.ends_with(self.translate(text))

    def is_match(self, text: str) -> bool:
        """Whether a word may be this text."""
        return self.graph.is_match(self.translate(text))


def words_of_pattern(
    pattern: str, unicode_version: str | None, flags: int = regex.VERSION0
) -> Words:
    """Return the words of a pattern of ``regex`` that are all parts of a text that it matches."""
    graph = graph_of(pattern, flags)
    if graph is None:
        return ANY_WORDS
    table: Mapping[int, int] = {}
    if unicode_version is not None and unicode_version != versions.REGEX_VERSION:
        table = versions.standins(unicode_version, versions.REGEX_VERSION)
    return PinnedWords(graph, lambda text: text.translate(table))
