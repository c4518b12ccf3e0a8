"""The stages of a tokenizer before the model, and the ids of words, which are kept."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from tokharness_tokenizers.reference.aligned import Aligned
from tokharness_tokenizers.reference.misplaced_cuts import misplaced_cuts
from tokharness_tokenizers.reference.normalizers import precompiled, replacing
from tokharness_tokenizers.reference.pattern_alterations import altered_borders
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import ByteLevel
from tokharness_tokenizers.reference.pre_tokenizers.sequence import (
    Cutter,
    Sequence,
    depends_on_start,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.added_tokens import AddedTokens
    from tokharness_tokenizers.reference.components import Model, Normalizer, PreTokenizer


Split: TypeAlias = "Callable[[str], list[str]]"

MOST_WORDS = 1 << 17
LONGEST_WORD = 64


Value = TypeVar("Value")


class Cache(dict[str, Value]):
    """Results by word, or by text; a missing result is computed, and a full cache is cleared."""

    __slots__ = ("longest", "most", "result_of")

    def __init__(
        self, result_of: Callable[[str], Value], most: int = MOST_WORDS, longest: int = LONGEST_WORD
    ) -> None:
        super().__init__()
        self.result_of, self.most, self.longest = result_of, most, longest

    def __missing__(self, word: str) -> Value:
        value = self.result_of(word)
        if len(word) <= self.longest:
            if len(self) >= self.most:
                self.clear()
            self[word] = value
        return value


@dataclass(frozen=True)
class WordIds:
    """A pre-tokenizer and a model, applied to normalized text.

    The first pre-tokenizer of a sequence cuts the text; the results of the other pre-tokenizers and
    the model for a piece are cached. Without a pre-tokenizer, ``parts`` may cut a text at places
    that no token crosses.
    """

    pre_tokenizer: PreTokenizer | None
    model: Model
    parts: Split | None = field(default=None, repr=False)

    def ids(self, text: str, *, at_start: bool) -> list[int]:
        """Return the ids of a text; ``at_start``: it begins at the start of the whole text."""
        if at_start and self._start_matters:
            words = words_of(text, self.pre_tokenizer, at_start=True)
            return [number for word in words for number, _ in self.model.tokens(word)]
        return list(chain.from_iterable(map(self._cache.__getitem__, self._cut(text))))

    def ids_at_borders(self, text: str) -> Iterator[tuple[str, list[int]]]:
        """Yield each alteration of borders of pre-tokens, and the ids of a text with it.

        A pre-tokenizer that changes the text, or drops a part of it, has no borders of its own.
        """
        pieces = self._cut(text) if self._components and not self._start_matters else []
        if text and "".join(pieces) == text:
            for what, others in chain(altered_borders(pieces), misplaced_cuts(self._cut, text)):
                with contextlib.suppress(KeyError):  # the model has no token for a part
                    yield what, list(chain.from_iterable(map(self._cache.__getitem__, others)))

    @cached_property
    def _cache(self) -> Cache[tuple[int, ...]]:
        return Cache(self._encode_piece)

    @cached_property
    def _components(self) -> tuple[PreTokenizer, ...]:
        whole = self.pre_tokenizer
        if whole is None:
            return ()
        return whole.components if isinstance(whole, Sequence) else (whole,)

    @cached_property
    def _start_matters(self) -> bool:
        return any(map(depends_on_start, self._components))

    @cached_property
    def _cut(self) -> Split:
        """The function that cuts a text into the keys of the cache."""
        if not self._components:
            return self.parts or (lambda text: [text] if text else [])
        first = self._components[0]
        if isinstance(first, Cutter | ByteLevel):
            return first.words  # words of ByteLevel are not yet written as characters for bytes
        return lambda text: first.pieces(text, at_start=False)

    @cached_property
    def _rest(self) -> PreTokenizer | None:
        whole, rest = self.pre_tokenizer, self._components[1:]
        return replace(whole, components=rest) if rest and isinstance(whole, Sequence) else None

    @cached_property
    def _encode_piece(self) -> Callable[[str], tuple[int, ...]]:
        """The function that encodes a key of the cache; most pieces of hostile texts are new."""
        first = self._components[0] if self._components else None
        write = first.write if isinstance(first, ByteLevel) else None
        rest, tokens = self._rest, self.model.tokens

        def encode(piece: str) -> tuple[int, ...]:
            if write is not None:
                piece = write(piece)
            words = [piece] if rest is None else rest.pieces(piece, at_start=False)
            return tuple([number for word in words for number, _ in tokens(word)])

        return encode


def words_of(text: str, pre_tokenizer: PreTokenizer | None, *, at_start: bool) -> list[str]:
    """Return the words that the model reads."""
    if pre_tokenizer is None:
        return [text] if text else []
    return [word for word in pre_tokenizer.pieces(text, at_start=at_start) if word]


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
        after text that a normalizer removed. (After characters that a charsmap removes there, it
        does: ``tokenizers`` does not count them.) ``special`` says whether special tokens count.
        """
        return self._cut(text, special=True) if special else self._plain_parts[text]

    @cached_property
    def _plain_parts(self) -> Cache[list[tuple[bool, str, int | None]]]:
        return Cache(lambda text: self._cut(text, special=False), MOST_TEXTS, LONGEST_TEXT)

    def _cut(self, text: str, *, special: bool) -> list[tuple[bool, str, int | None]]:
        parts = self.added.parts(text, self.normalize, special=special)
        if self._may_move_start and parts and parts[0][0]:
            is_text = parts[0][2] is None
            counted = text[_removed_at_start(self.normalizer, text) if is_text else 0 :]
            aligned = Aligned.of(counted)
            first, _ = next(self._aligned_parts(aligned, special=special), (None, None))
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


def _removed_at_start(normalizer: Normalizer | None, text: str) -> int:
    """Return how many characters at the start of a text the first charsmap removes.

    It is none if a normalizer before it changes them.
    """
    given = text
    for one in _components(normalizer):
        if isinstance(one, precompiled.Precompiled):
            size = one.removed_at_start(given)
            return size if given[:size] == text[:size] else 0
        given = one.normalize(given)
    return 0


def _components(normalizer: Normalizer | None) -> Iterator[Normalizer]:
    if isinstance(normalizer, replacing.Sequence):
        for one in normalizer.normalizers:
            yield from _components(one)
    elif normalizer is not None:
        yield normalizer
