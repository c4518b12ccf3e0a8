"""Why the stages before a model leave no word with a text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.reach.cutters import mark_of, may_be_in_word
from tokharness_tokenizers.reference.reach.normalized import NormalizedTexts
from tokharness_tokenizers.reference.reach.words import NO_WORD, NORMALIZED, TAKEN_BEFORE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness_tokenizers.reference.added_tokens import Cutter
    from tokharness_tokenizers.reference.text_stages import TextStages

__all__ = ["WordStages"]


@dataclass(frozen=True)
class WordStages:
    """What a text goes through before a model reads its words."""

    stages: TextStages

    @cached_property
    def mark(self) -> str:
        """What a space becomes."""
        return mark_of(self.stages.pre_tokenizer)

    @cached_property
    def normalized(self) -> NormalizedTexts:
        """The texts that the normalizer may leave."""
        return NormalizedTexts(self.stages.normalizer, self.mark)

    def reason(self, text: str) -> str:
        """Return why no word has a text as a part; "" if one may have it."""
        if not self.normalized.may_have(text):
            return NORMALIZED
        if not may_be_in_word(self.stages.pre_tokenizer, text):
            return NO_WORD
        return TAKEN_BEFORE if any(one in text for one in self._taken) else ""

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
