"""Why the stages before a model leave no word with a text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.byte_characters import BYTE_OF, bytes_of
from tokharness_tokenizers.reference.pre_tokenizers.byte_level import ByteLevel
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import Metaspace
from tokharness_tokenizers.reference.reach.completions import (
    ends_inside_character,
    is_part_of_utf8,
)
from tokharness_tokenizers.reference.reach.cutters import mark_of, may_be_in_word
from tokharness_tokenizers.reference.reach.normalized import NormalizedTexts
from tokharness_tokenizers.reference.reach.pre_tokens import components_of, words_of_pre_tokenizer
from tokharness_tokenizers.reference.reach.words import (
    ANY_WORDS,
    NO_WORD,
    NORMALIZED,
    NOT_UTF8,
    TAKEN_BEFORE,
    Words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness_tokenizers.reference.added_tokens import Cutter
    from tokharness_tokenizers.reference.text_stages import TextStages

__all__ = ["WordStages"]

LEADS: Final = (*range(0x80), *range(0xC2, 0xF5))
"""The bytes that begin characters."""


@dataclass(frozen=True)
class WordStages:
    """What a text goes through before a model reads its words."""

    stages: TextStages

    @cached_property
    def mark(self) -> str:
        """What a space becomes."""
        return mark_of(self.stages.pre_tokenizer)

    @cached_property
    def writes_bytes(self) -> bool:
        """Whether the characters of words stand for bytes."""
        components = components_of(self.stages.pre_tokenizer)
        return any(isinstance(one, ByteLevel) for one in components)

    @cached_property
    def _words(self) -> Words:
        """The words of the patterns; any if the text of a pattern is not that of the words."""
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
        """Whether added tokens take a part of each text that has this one."""
        return any(one in text for one in self._taken)

    def may_go_on(self, text: str) -> bool:
        """Whether a word may have more characters behind a text: False is a proof, True is not."""
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
    """Yield the texts of which each place is part of an added token that counts."""
    rows = cutter.tokens.items()
    counts = {text for text, token in rows if not (token.special or token.single_word)}
    hides = cutter.tokens.keys() - counts
    for text in counts:
        if not any(_may_hide(other, text) for other in hides):
            yield text


def _may_hide(other: str, text: str) -> bool:
    """Whether a match of a text may hide one of another text, as it has a part of it."""
    ends = (other[-size:] for size in range(1, min(len(other), len(text)) + 1))
    return text in other or any(map(text.startswith, ends))
