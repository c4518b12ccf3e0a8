"""Reach of the tokens of a pipeline of stages, whose model reads bytes or words of characters."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final, Protocol

from tokharness_tokenizers.reach.byte_level import ByteLevelReach, leaves_any
from tokharness_tokenizers.reach.byte_tokens import ByteTokens, byte_names
from tokharness_tokenizers.reach.char_bpe import CharBPEReach
from tokharness_tokenizers.reach.pieces import RARE, Contexts, PieceReach
from tokharness_tokenizers.reach.stages import WordStages, words_of_pre_tokenizer
from tokharness_tokenizers.reach.words import LONGER_TAKEN, NO_TEXT, NO_WORD, OTHER_ID, TextSearch
from tokharness_tokenizers.reference.byte_characters import BYTE_OF, CHARACTER_OF, bytes_of
from tokharness_tokenizers.reference.models.bpe import BPE, merge_by_heap
from tokharness_tokenizers.reference.models.pieces import Pieces
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.models.wordpiece import WordLevel, WordPiece
from tokharness_tokenizers.reference.normalizers.forms import NormalForm
from tokharness_tokenizers.reference.pre_tokenizers.sequence import ends_in_bytes
from tokharness_tokenizers.reference.word_ids import Cache

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tokharness_tokenizers.reference.base import Orphans, Reach
    from tokharness_tokenizers.reference.components import Model, Normalizer
    from tokharness_tokenizers.reference.pipeline import Pipeline


# Reach of the tokens of WordLevel, each of which is a word.


@dataclass(frozen=True)
class WordLevelReach:
    """The words of a vocabulary.

    Attributes:
        contexts: The texts around a word.
        reason_of_text: Returns why no word has a text as a part.

    """

    contexts: Contexts
    reason_of_text: Callable[[str], str] = field(repr=False)

    def texts(self, _: int, token: str) -> Iterator[str]:
        """Yield texts that may have a word."""
        return self.contexts.around(token)

    def reason(self, _: int, token: str) -> str:
        """Return why no text has a word; "" if one may have it."""
        return self.reason_of_text(token)


# Reach of the tokens of WordPiece, which takes the longest piece at each place of a word.
#
# A piece that continues a word has a piece before it, which is taken only if no longer piece begins
# at its place. So if each such piece, with the text after it, is part of a longer piece, no text
# has the token.

MOST: Final = 60
"""Number of words of a piece that are tried."""


@dataclass(frozen=True)
class WordPieceReach:
    """The words of each piece.

    Attributes:
        model: The model.
        reason_of_text: Returns why no word has a text as a part.
        is_isolated: Whether a character is next to marks and spaces only.
        spaces: The marks and spaces.

    """

    model: WordPiece
    reason_of_text: Callable[[str], str] = field(repr=False)
    is_isolated: Callable[[str], bool] = field(repr=False)
    spaces: frozenset[str]

    def texts(self, _: int, token: str) -> Iterator[str]:
        """Yield words with a token."""
        inner = self._inner(token)
        if inner is not None and not self.reason_of_text(inner):
            yield from islice(self._words(inner), MOST)
        yield token

    def reason(self, _: int, token: str) -> str:
        """Return why no word has a token; "" if one may have it."""
        is_short = len(token) <= self.model.max_characters
        begins = self.reason_of_text(token) if is_short else NO_WORD
        inner = self._inner(token)
        if not begins or inner is None:
            return begins
        return self._reason_inside(inner)

    def _reason_inside(self, inner: str) -> str:
        reason = self.reason_of_text(inner)
        if reason or not self._follows[inner[0]]:
            return reason or NO_WORD
        return "" if next(self._befores(inner), None) else LONGER_TAKEN

    def _inner(self, token: str) -> str | None:
        """Return the text of a piece that continues a word; None if it does not."""
        prefix = self.model.prefix
        return token[len(prefix) :] if token.startswith(prefix) and token != prefix else None

    def _words(self, inner: str) -> Iterator[str]:
        """Yield words that end with a piece, from pieces that may stand before it."""
        waiting, seen = deque([inner]), {inner}
        while waiting:
            text = waiting.popleft()
            for piece, begins in self._befores(text):
                word = piece + text
                if begins:
                    yield word
                elif word not in seen and len(seen) < MOST:
                    seen.add(word)
                    waiting.append(word)

    def _befores(self, text: str) -> Iterator[tuple[str, bool]]:
        """Yield the pieces that are taken before a text, and whether they begin a word."""
        limit, first = self.model.max_characters - len(text), text[0]
        if not self._follows[first]:
            return
        for piece, begins in self._pieces:
            prefix = "" if begins else self.model.prefix
            if len(piece) + (not begins) > limit:  # a piece that continues a word has one before it
                continue
            if not self._is_longer(prefix + piece, text) and self._joins(piece[-1], first):
                yield piece, begins

    def _joins(self, char: str, other: str) -> bool:
        """Whether a word may have two characters next to each other."""
        return self._joined[char + other]

    @cached_property
    def _joined(self) -> Cache[bool]:
        return Cache(lambda pair: not self.reason_of_text(pair))

    def _is_longer(self, start: str, text: str) -> bool:
        """Whether a longer piece takes a piece before a text."""
        known = self.model.vocabulary
        return any(start + text[:size] in known for size in range(1, len(text) + 1))

    @cached_property
    def _follows(self) -> Cache[bool]:
        """Whether a word may have a character behind a piece.

        An ideograph is next to no other one: there are thousands of each.
        """
        lasts = frozenset(piece[-1] for piece, _ in self._pieces)
        spaces = lasts & self.spaces
        others = frozenset(char for char in lasts if not self.is_isolated(char))

        def follows(first: str) -> bool:
            among = lasts if first in self.spaces else spaces if self.is_isolated(first) else others
            return any(self._joins(char, first) for char in among)

        return Cache(follows)

    @cached_property
    def _pieces(self) -> list[tuple[str, bool]]:
        """The texts of the pieces, and whether each begins a word; short ones first."""
        rows = [(token, True) for token in self.model.vocabulary if token]
        inner = filter(None, map(self._inner, self.model.vocabulary))
        return sorted([*rows, *((text, False) for text in inner)], key=lambda row: len(row[0]))


class _ModelReach(Protocol):
    """Texts with a token of a model, and reasons why there is none."""

    def texts(self, number: int, token: str, /) -> Iterator[str]: ...

    def reason(self, number: int, token: str, /) -> str: ...


def reach_of_words(pipeline: Pipeline) -> Callable[[int], tuple[str, str]]:
    """Return the function that looks for a text with a token, or proves that there is none."""
    model, stages = pipeline.model, WordStages(pipeline.text_stages)

    is_unknown = _unknown_of(model)

    def is_left(char: str) -> bool:
        return is_unknown(char) and not stages.reason(char)

    bytes_ = ByteTokens(_byte_of(model), is_left)
    left = {number for number in bytes_.byte_of if not bytes_.reason(number)}
    contexts = Contexts(model.vocabulary, stages.mark, stages.writes_bytes)
    of_model = _of_model(model, stages, contexts, left)
    found = _Tokens(pipeline, bytes_, of_model)
    return TextSearch(pipeline.encode_ordinary, found.texts, found.reason).reach


def _of_model(
    model: Model, stages: WordStages, contexts: Contexts, left: set[int]
) -> _ModelReach | None:
    reason = stages.reason
    if stages.writes_bytes and not isinstance(model, BPE):
        return None
    if isinstance(model, WordPiece):
        spaces = frozenset((stages.mark, " "))
        return WordPieceReach(model, reason, stages.normalized.is_isolated, spaces)
    if isinstance(model, BPE):
        unknown = model.unknown_id
        others = left if unknown is None else left | {unknown}
        return CharBPEReach(model, contexts, reason, stages.may_go_on, others)
    if isinstance(model, Unigram):
        return PieceReach(model, contexts, reason)
    if isinstance(model, Pieces):
        return PieceReach(model.model, contexts, reason)
    return WordLevelReach(contexts, reason) if isinstance(model, WordLevel) else None


def _byte_of(model: Model) -> Mapping[int, int]:
    if isinstance(model, Pieces):
        return {number: byte for byte, number in model.bytes.items()}
    has_bytes = isinstance(model, BPE | Unigram) and model.byte_fallback
    return byte_names(model.vocabulary) if has_bytes else {}


def _unknown_of(model: Model) -> Callable[[str], bool]:
    """Return a function that decides whether a model may have no token for a character."""
    known, unused = model.vocabulary, frozenset[str]()
    if isinstance(model, BPE):
        befores, afters = {"", model.prefix}, {"", model.suffix}
        return lambda char: any(one + char + end not in known for one in befores for end in afters)
    if isinstance(model, Pieces):
        known = model.model.vocabulary
        if isinstance(model.model, SentencePieceBPE) and model.model.unused:
            pieces = (piece for piece, number in known.items() if number in model.model.unused)
            unused = unused.union(*pieces)
    unknown = model.unknown_id
    return lambda char: char in unused or char not in known or known[char] == unknown


@dataclass(frozen=True)
class _Tokens:
    """The tokens of a pipeline: tokens of bytes, tokens of the model, and other tokens."""

    pipeline: Pipeline
    bytes: ByteTokens
    of_model: _ModelReach | None
    token_of: dict[int, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        rows = self.pipeline.model.vocabulary.items()
        object.__setattr__(self, "token_of", {number: token for token, number in rows if token})

    def texts(self, number: int) -> Iterator[str]:
        """Yield texts that may have a token."""
        yield from self.bytes.texts(number)
        token = self.token_of.get(number)
        if token is not None and self.of_model is not None:
            yield from self.of_model.texts(number, token)
        if number == self.pipeline.model.unknown_id:
            yield from RARE
        yield self.pipeline.texts.get(number, "")

    def reason(self, number: int) -> str:
        """Return why no text has a token; "" if that is not proven."""
        if self._is_added(number) or self.of_model is None:
            return ""
        of_bytes = ""
        if number in self.bytes.byte_of:
            of_bytes = self.bytes.reason(number)
            if not of_bytes:
                return ""
        token = self.token_of.get(number)
        if token is not None:
            of_model = self.of_model.reason(number, token)
            return of_model and (of_bytes or of_model)
        is_other = self.pipeline.texts.get(number) in self.pipeline.model.vocabulary
        return of_bytes or (OTHER_ID if is_other else NO_TEXT)

    def _is_added(self, number: int) -> bool:
        """Whether an added text or a rule outside of the model gives a token."""
        pipeline = self.pipeline
        if pipeline.post.padding is not None or number == pipeline.model.unknown_id:
            return True
        return number in pipeline.added_tokens.values()


def reach_of(pipeline: Pipeline) -> Reach:
    """Return the reach of the tokens of a pipeline."""
    model = pipeline.model
    if isinstance(model, BPE) and _reads_bytes(pipeline, model):
        return _of_byte_level(pipeline, model).reach
    return reach_of_words(pipeline)


def _reads_bytes(pipeline: Pipeline, model: BPE) -> bool:
    """Whether the model has no marks, and reads bytes written as characters."""
    is_plain = not (model.prefix or model.suffix)
    # The treatment of a byte without a token is not known here: it may be left out.
    is_plain = is_plain and all(map(model.vocabulary.__contains__, CHARACTER_OF))
    return is_plain and ends_in_bytes(pipeline.text_stages.pre_tokenizer)


def merge_orphans_of(pipeline: Pipeline) -> Orphans | None:
    """Return the function that finds merge orphans; None for a model without merge orphans."""
    model = pipeline.model
    if isinstance(model, BPE) and model.ignore_merges and _reads_bytes(pipeline, model):
        return _of_byte_level(pipeline, model).merge_orphans
    return None


def _of_byte_level(pipeline: Pipeline, model: BPE) -> ByteLevelReach:
    added = {*pipeline.special_tokens.values(), *pipeline.added_tokens.values()}
    tokens = {
        number: bytes_of(text)
        for text, number in model.vocabulary.items()
        if number not in added and all(map(BYTE_OF.__contains__, text))
    }

    def segment(data: bytes) -> list[int]:
        first = model.first_tokens("".join(map(CHARACTER_OF.__getitem__, data)))
        return [number for number, _ in merge_by_heap(first, model.pairs)]

    return ByteLevelReach(
        tokens,
        segment,
        pipeline.encode_ordinary,
        words_of_pre_tokenizer(pipeline.text_stages.pre_tokenizer),
        takes_words=model.ignore_merges,
        leaves=_leaves(pipeline.text_stages.normalizer),
        is_taken=WordStages(pipeline.text_stages).is_taken,
    )


def _leaves(normalizer: Normalizer | None) -> Callable[[str], bool]:
    """Return a function that decides whether a normalized text may have a text as a part."""
    if isinstance(normalizer, NormalForm):
        # A form is closed under parts of a text: a text in the form has no part outside of the
        # form.
        return lambda text: normalizer.normalize(text) == text
    return leaves_any
