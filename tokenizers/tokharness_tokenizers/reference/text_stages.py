"""The stages of a tokenizer before the model: added tokens, normalizer and pre-tokenizer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.aligned import Aligned
from tokharness_tokenizers.reference.pre_tokenizers.sequence import depends_on_start
from tokharness_tokenizers.reference.word_ids import Cache, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.added_tokens import AddedTokens
    from tokharness_tokenizers.reference.components import Normalizer, PreTokenizer


MOST_TEXTS, LONGEST_TEXT = 1 << 12, 256
"""Texts whose parts are kept, and most characters of such a text. A text of a batch is cut for its
ids, and for the text to which it is normalized."""


@dataclass(frozen=True)
class TextStages:
    """What happens to a text before the model reads it.

    Attributes:
        added: The added tokens.
        normalizer: The normalizer, or None.
        pre_tokenizer: The pre-tokenizer, or None.
        parts: Without a pre-tokenizer, a function that cuts a text at places that no token crosses.

    """

    added: AddedTokens
    normalizer: Normalizer | None = None
    pre_tokenizer: PreTokenizer | None = None
    parts: Callable[[str], list[str]] | None = None

    def normalize(self, text: str) -> str:
        """Return a text as the normalizer leaves it."""
        return text if self.normalizer is None else self.normalizer.normalize(text)

    def cut(self, text: str, *, special: bool) -> list[tuple[bool, str, int | None]]:
        """Return the parts of a text: normalized text, or an added token with its id.

        The first value says whether the part begins at the start of the text, which it does not
        after text that a normalizer removed. ``special`` says whether special tokens count.
        """
        return self._cut(text, special=True) if special else self._plain_parts[text]

    @cached_property
    def _plain_parts(self) -> Cache[list[tuple[bool, str, int | None]]]:
        return Cache(lambda text: self._cut(text, special=False), MOST_TEXTS, LONGEST_TEXT)

    def _cut(self, text: str, *, special: bool) -> list[tuple[bool, str, int | None]]:
        parts = self.added.parts(text, self.normalize, special=special)
        if self._may_move_start and parts and parts[0][0]:
            first, _ = next(self._aligned_parts(Aligned.of(text), special=special), (None, None))
            begins = first is None or first.span(0, 0)[0] == 0
            parts[0] = (begins, *parts[0][1:])
        return parts

    @cached_property
    def _may_move_start(self) -> bool:
        pre_tokenizer = self.pre_tokenizer
        matters = pre_tokenizer is not None and depends_on_start(pre_tokenizer)
        return matters and self.normalizer is not None

    def words(self, text: str) -> list[tuple[str, int | None]]:
        """Return the words that the model reads, and the added tokens with their ids."""
        words: list[tuple[str, int | None]] = []
        for at_start, part, number in self.cut(text, special=False):
            if number is None:
                found = words_of(part, self.pre_tokenizer, at_start=at_start)
                words += [(word, None) for word in found]
            else:
                words.append((part, number))
        return words

    def aligned_words(self, text: Aligned) -> Iterator[tuple[Aligned, int | None]]:
        """Yield the words of :meth:`words` with the places that they came from."""
        for part, number in self._aligned_parts(text, special=False):
            if number is not None:
                yield part, number
            elif self.pre_tokenizer is not None:
                at_start = part.span(0, 0)[0] == 0
                words = self.pre_tokenizer.split(part, at_start=at_start)
                yield from ((word, None) for word in words)
            elif part.text:
                yield part, None

    def _aligned_parts(
        self, text: Aligned, *, special: bool
    ) -> Iterator[tuple[Aligned, int | None]]:
        normalizer = self.normalizer
        apply = normalizer.apply if normalizer is not None else lambda aligned: aligned
        return self.added.aligned_parts(text, apply, special=special)
