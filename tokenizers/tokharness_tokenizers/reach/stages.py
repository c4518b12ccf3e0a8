"""Why the stages before a model leave no word with a text, and where they cut the text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reach.byte_tokens import ends_inside_character, is_part_of_utf8
from tokharness_tokenizers.reach.normalized import NormalizedTexts
from tokharness_tokenizers.reach.pre_tokens import words_of_pre_tokenizer
from tokharness_tokenizers.reach.words import (
    ANY_WORDS,
    NO_WORD,
    NORMALIZED,
    NOT_UTF8,
    TAKEN_BEFORE,
    Words,
)
from tokharness_tokenizers.reference.byte_characters import BYTE_OF, bytes_of
from tokharness_tokenizers.reference.pre_tokenizers.cutting import CharDelimiterSplit, FixedLength
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import ByteLevel, Metaspace
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import ClassCutter, WhitespaceSplit
from tokharness_tokenizers.reference.pre_tokenizers.sequence import components_of
from tokharness_tokenizers.reference.pre_tokenizers.unicode_scripts import UnicodeScripts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness_tokenizers.reference.added_tokens import Cutter
    from tokharness_tokenizers.reference.components import PreTokenizer
    from tokharness_tokenizers.reference.text_stages import TextStages

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
