"""Reach of the pieces of a SentencePiece model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tokharness_tokenizers.reach.byte_tokens import ByteTokens
from tokharness_tokenizers.reach.normalized import NormalizedTexts
from tokharness_tokenizers.reach.pieces import RARE, Contexts, PieceReach
from tokharness_tokenizers.reach.words import NO_TEXT, NO_WORD, NORMALIZED, TextSearch
from tokharness_tokenizers.reference.models.pieces import WholeCharacters, WholeWords
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import SentencePieceUnigram
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind
from tokharness_tokenizers.reference.sentencepiece.vocabulary import MARK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.sentencepiece.tokenizer import SentencePiece


OF_TEXT = (PieceKind.NORMAL, PieceKind.USER_DEFINED)
WORDS = (WholeCharacters, WholeWords)


def reach_of(tokenizer: SentencePiece) -> Callable[[int], tuple[str, str]]:
    """Return the function that looks for a text with a piece, or proves that there is none."""
    found = _ModelPieces(tokenizer)
    return TextSearch(tokenizer.encode, found.texts, found.reason).reach


@dataclass(frozen=True)
class _ModelPieces:
    tokenizer: SentencePiece

    def texts(self, number: int) -> Iterator[str]:
        """Yield texts that may have a piece."""
        vocabulary = self.tokenizer.vocabulary
        kind, piece = vocabulary.kinds[number], vocabulary.texts[number]
        if kind is PieceKind.BYTE:
            yield from self._bytes.texts(number)
        elif kind is PieceKind.UNKNOWN:
            yield from RARE
        elif kind in OF_TEXT:
            yield from self._contexts.around(piece)

    def reason(self, number: int) -> str:
        """Return why no text has a piece; "" if that is not proven."""
        vocabulary, model = self.tokenizer.vocabulary, self.tokenizer.model
        kind, piece = vocabulary.kinds[number], vocabulary.texts[number]
        if kind is PieceKind.BYTE:
            return self._bytes.reason(number)
        if kind in (PieceKind.CONTROL, PieceKind.UNUSED):
            return NO_TEXT
        if kind is not PieceKind.NORMAL:
            return ""
        if isinstance(model, SentencePieceBPE | SentencePieceUnigram):
            return PieceReach(model, self._contexts, self._reason_of_text).reason(number, piece)
        if isinstance(model, WORDS) and model.tokens(piece) != [(number, len(piece))]:
            return NO_WORD
        return self._reason_of_text(piece)

    def _reason_of_text(self, text: str) -> str:
        """Return why no normalized text has a text as a part; "" if one may have it."""
        may_have = self._normalized.may_have(text)
        return "" if may_have and not (MARK * 2 in text and self._joins_spaces) else NORMALIZED

    @cached_property
    def _joins_spaces(self) -> bool:
        """Whether several spaces become one, and U+2581 in a text counts as such a space."""
        normalizing = self.tokenizer.normalizing
        if not normalizing.spec.remove_extra_whitespaces or normalizing.rules.verbatim:
            return False
        text = f"a{MARK}{MARK} {MARK}a"
        return MARK not in normalizing.rules.normalize(text) and not normalizing.has_long_spaces

    @cached_property
    def _contexts(self) -> Contexts:
        return Contexts(self.tokenizer.vocabulary.of_text, self.tokenizer.normalizing.mark)

    @cached_property
    def _normalized(self) -> NormalizedTexts:
        normalizing = self.tokenizer.normalizing
        return NormalizedTexts(normalizing, normalizing.mark)

    @cached_property
    def _bytes(self) -> ByteTokens:
        vocabulary = self.tokenizer.vocabulary
        unused = "".join(map(vocabulary.texts.__getitem__, vocabulary.unused))

        def is_left(char: str) -> bool:
            is_known = char in vocabulary.of_text and char not in unused
            is_unknown = isinstance(self.tokenizer.model, WholeWords) or not is_known
            return is_unknown and not self._reason_of_text(char)

        return ByteTokens(vocabulary.byte_of if vocabulary.byte_fallback else {}, is_left)
