"""Reach of the pieces of SentencePiece's models, BPE and Unigram, in files of all formats."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.reach.unigram import Scores, scores_of
from tokharness_tokenizers.reference.reach.words import (
    BETTER_SEGMENTATION,
    NO_MERGES,
    NO_TEXT,
    TAKEN_BEFORE,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.reach.contexts import Contexts
    from tokharness_tokenizers.reference.reach.unigram import UnigramModel

__all__ = ["PieceReach"]


@dataclass(frozen=True)
class PieceReach:
    """What decides about a piece.

    Attributes:
        model: The model.
        contexts: The texts around a piece.
        reason_of_text: Returns why no word has a text as a part.

    """

    model: SentencePieceBPE | UnigramModel
    contexts: Contexts
    reason_of_text: Callable[[str], str] = field(repr=False)

    def texts(self, _: int, piece: str) -> Iterator[str]:
        """Yield texts that may have a piece."""
        return self.contexts.around(piece)

    def reason(self, number: int, piece: str) -> str:
        """Return why no text has a piece; "" if one may have it."""
        if not isinstance(self.model, SentencePieceBPE):
            if self.model.vocabulary.get(piece) != number:
                return NO_TEXT
            if self._scores.has_better(piece):
                return BETTER_SEGMENTATION
        elif number in self.model.unused:
            return NO_TEXT
        elif self.model.tokens(piece) != [(number, len(piece))]:
            is_taken = any(one in piece for one in self.model.user_defined)
            return TAKEN_BEFORE if is_taken else NO_MERGES
        return self.reason_of_text(piece)

    @cached_property
    def _scores(self) -> Scores:
        if isinstance(self.model, SentencePieceBPE):
            return Scores({}, 0.0)
        return scores_of(self.model)
