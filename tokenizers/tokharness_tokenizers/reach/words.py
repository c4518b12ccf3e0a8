"""The texts that a pre-tokenizer may leave within one word, and reasons why no text holds a token.

An answer may wrongly be "yes", but never wrongly "no": a "no" is part of a proof.

A search tries candidates for a text with the token; if no candidate has it, it asks for a proof.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import regex

from tokharness.unicode import versions
from tokharness_tokenizers.reach.pattern_graph import PatternGraph, graph_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence


NO_MERGES = "no merges lead to it"
NO_WORD = "no pre-token can hold it"
NOT_UTF8 = "no UTF-8 text has its bytes"
MERGED_WITH_NEIGHBOURS = "it joins its neighbours in every pre-token that can hold it"
BETTER_SEGMENTATION = "another segmentation of its text is always better"
NORMALIZED = "the normalizer never leaves its text"
TAKEN_BEFORE = "an added or special token always takes its text"
LONGER_TAKEN = "a longer token is always taken in its place"
OTHER_ID = "its text becomes another id of the same text"
NO_TEXT = "text never becomes a token of its type"
BYTE_NEVER_LEFT = "each character with its byte is a token, or is never left by the normalizer"


class Words(Protocol):
    """The texts of words."""

    def holds(self, text: str) -> bool:
        """Whether a word may have this text as a part."""
        ...

    def state(self, text: str) -> Hashable:
        """Return a value that decides which texts a word may have after this text."""
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

    def goes_on(self, text: str, part: bytes) -> bool:
        """Whether a character that begins with some bytes may be behind this text."""
        ...

    def comes_before(self, part: bytes, text: str) -> bool:
        """Whether a character that ends with some bytes may be before this text."""
        ...

    def are_ascii(self) -> bool:
        """Whether no word has a character of several bytes."""
        ...


@dataclass(frozen=True, slots=True)
class _AnyWords:
    """Without a pre-tokenizer: any text."""

    def holds(self, text: str) -> bool:  # noqa: ARG002
        return True

    begins = ends_with = is_match = holds

    def state(self, text: str) -> Hashable:  # noqa: ARG002
        return None

    def goes_on(self, text: str, part: bytes) -> bool:  # noqa: ARG002
        return True

    def comes_before(self, part: bytes, text: str) -> bool:  # noqa: ARG002
        return True

    def are_ascii(self) -> bool:
        return False


ANY_WORDS: Words = _AnyWords()


@dataclass(frozen=True)
class PinnedWords:
    """The words of a pattern at a Unicode version.

    ``table`` has stand-ins for the characters that have another category in this version.
    """

    graph: PatternGraph
    table: Mapping[int, int]

    def holds(self, text: str) -> bool:
        """Whether a word may have this text as a part."""
        return self.graph.holds(text.translate(self.table))

    def state(self, text: str) -> Hashable:
        """Return a value that decides which texts a word may have after this text."""
        return self.graph.state(text.translate(self.table))

    def begins(self, text: str) -> bool:
        """Whether a word may begin with this text."""
        return self.graph.begins(text.translate(self.table))

    def ends_with(self, text: str) -> bool:
        """Whether a word may end with this text."""
        return self.graph.ends_with(text.translate(self.table))

    def is_match(self, text: str) -> bool:
        """Whether a word may be this text."""
        return self.graph.is_match(text.translate(self.table))

    def goes_on(self, text: str, part: bytes) -> bool:
        """Whether a character that begins with some bytes may be behind this text."""
        text, others = text.translate(self.table), self._standins_by_part.get(part, ())
        return self.graph.goes_on(text, part) or any(
            self.graph.holds(text + char) for char in others
        )

    def comes_before(self, part: bytes, text: str) -> bool:
        """Whether a character that ends with some bytes may be before this text."""
        text, others = text.translate(self.table), self._standins_by_part.get(part, ())
        return self.graph.comes_before(part, text) or any(
            self.graph.holds(char + text) for char in others
        )

    def are_ascii(self) -> bool:
        """Whether no word has a character of several bytes."""
        return self.graph.is_ascii and not any(map(self.holds, map(chr, self.table)))

    @cached_property
    def _standins_by_part(self) -> dict[bytes, set[str]]:
        """The stand-ins of the characters that begin or end with some bytes."""
        found: dict[bytes, set[str]] = {}
        for point, standin in self.table.items():
            data = chr(point).encode()
            for size in range(1, len(data)):
                found.setdefault(data[:size], set()).add(chr(standin))
                found.setdefault(data[-size:], set()).add(chr(standin))
        return found


def words_of_pattern(
    pattern: str, unicode_version: str | None, flags: int = regex.VERSION0
) -> Words:
    """Return the words of a pattern of ``regex`` whose matches are all parts of a text."""
    graph = graph_of(pattern, flags)
    if graph is None:
        return ANY_WORDS
    table: Mapping[int, int] = {}
    if unicode_version is not None and unicode_version != versions.REGEX_VERSION:
        table = versions.standins(unicode_version, versions.REGEX_VERSION)
    return PinnedWords(graph, table)


@dataclass(frozen=True)
class TextSearch:
    """The functions that find a text with a token.

    Attributes:
        encode: Returns the ids of a plain text; raises KeyError if there are none.
        candidates: Returns texts that may have a token, likely ones first.
        reason: Returns why no text has a token; "" if that is not proven.

    """

    encode: Callable[[str], Sequence[int]] = field(repr=False)
    candidates: Callable[[int], Iterable[str]] = field(repr=False)
    reason: Callable[[int], str] = field(repr=False)

    def reach(self, number: int) -> tuple[str, str]:
        """Return a text that holds a token, or why there is none; both are "" if none is known."""
        for text in self.candidates(number):
            if self._holds(text, number):
                return text, ""
        return "", self.reason(number)

    def _holds(self, text: str, number: int) -> bool:
        try:
            return number in self.encode(text)
        except KeyError:
            return False
