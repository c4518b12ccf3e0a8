"""Whether a Unigram model has a better segmentation of the text of a token.

A part of the best segmentation of a text is the best segmentation of this part. So a token is never
produced if its own text has a segmentation with a higher sum of scores.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from tokharness_tokenizers.reference.models.sentencepiece_unigram import SentencePieceUnigram
from tokharness_tokenizers.reference.models.unigram import Unigram

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Scores", "UnigramModel", "scores_of"]

UnigramModel: TypeAlias = Unigram | SentencePieceUnigram

ROUNDED: Final = 2.0**-7
"""The most that a sum of four-byte floats up to 100,000 changes when it is rounded, twice."""
EXACT: Final = 1e-9
"""The same for a sum of eight-byte floats that is below a million."""


@dataclass(frozen=True)
class Scores:
    """The scores of pieces.

    Attributes:
        of: The score of each piece, by text.
        unknown: The score of a character that is no piece.
        rounding: How much a sum may change when it is rounded.
        apart: A text that is joined to unknown characters, so that nothing is proven about longer
            pieces that have it.

    """

    of: Mapping[str, float] = field(repr=False)
    unknown: float
    rounding: float = EXACT
    apart: str = ""

    def has_better(self, token: str) -> bool:
        """Whether the text of a token has a better segmentation, also if sums are rounded."""
        own = self.of.get(token)
        # With high scores, unknown characters may be better, and joined they are the token.
        if own is None or self.unknown > 0 or (self.apart and self.apart in token):
            return False
        return self._best(token) > own + self.rounding * (len(token) + 2)

    def _best(self, text: str) -> float:
        """Return the highest sum of the scores of two or more parts of a text."""
        of, size = self.of, len(text)
        best = [0.0] + [float("-inf")] * size
        for start in range(size):
            here = best[start]
            for end in range(start + 1, min(size, start + self._longest) + 1):
                score = of.get(text[start:end], self.unknown if end == start + 1 else None)
                if score is not None and end - start < size and here + score > best[end]:
                    best[end] = here + score
        return best[size]

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.of), default=1)


def scores_of(model: UnigramModel) -> Scores:
    """Return the scores of a model."""
    if isinstance(model, SentencePieceUnigram):
        return Scores(model.piece_scores, model.unknown_score, ROUNDED)
    rows = model.vocabulary.items()
    scores = {text: model.pieces[number][1] for text, number in rows if text}
    unknown = model.unknown
    is_piece = unknown is not None and 0 <= unknown < len(model.pieces)
    apart = model.pieces[unknown][0] if unknown is not None and is_piece else ""
    return Scores(scores, model.score([-1]), apart=apart)  # no piece has the id -1
