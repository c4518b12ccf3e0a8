"""Reach of the pieces of SentencePiece's BPE and Unigram, where another split may be better.

Contexts around a piece are characters that no token joins to other characters, and common texts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product
from typing import TYPE_CHECKING, Final, TypeAlias

from tokharness_tokenizers.reach.byte_tokens import completions
from tokharness_tokenizers.reach.stages import MARK
from tokharness_tokenizers.reach.words import BETTER_SEGMENTATION, NO_MERGES, NO_TEXT, TAKEN_BEFORE
from tokharness_tokenizers.reference.byte_characters import bytes_of
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import SentencePieceUnigram
from tokharness_tokenizers.reference.models.unigram import Unigram

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


# Whether a Unigram model has a better segmentation of the text of a token.
#
# A part of the best segmentation of a text is the best segmentation of this part. So a token is
# never produced if its own text has a segmentation with a higher sum of scores.

UnigramModel: TypeAlias = Unigram | SentencePieceUnigram

ROUNDED: Final = 2.0**-7
"""Twice the largest change by rounding of a sum of four-byte floats up to 100,000."""
EXACT: Final = 1e-9
"""The same for a sum of eight-byte floats below a million."""


@dataclass(frozen=True)
class Scores:
    """The scores of pieces.

    Attributes:
        of: The score of each piece, by text.
        unknown: The score of a character that is not a piece.
        rounding: The largest change of a sum by rounding.
        apart: A text that is joined to unknown characters, so that nothing is proven about longer
            pieces with it.

    """

    of: Mapping[str, float] = field(repr=False)
    unknown: float
    rounding: float = EXACT
    apart: str = ""

    def has_better(self, token: str) -> bool:
        """Whether the text of a token has a better segmentation, even if sums are rounded."""
        own = self.of.get(token)
        # With high scores, unknown characters may be better, and joined, they are the token.
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
    unknown = model.unknown
    is_piece = unknown is not None and 0 <= unknown < len(model.pieces)
    apart = model.pieces[unknown][0] if unknown is not None and is_piece else ""
    return Scores(model.piece_scores, model.score([-1]), apart=apart)  # no piece has the id -1


@dataclass(frozen=True)
class PieceReach:
    """The data that decides about a piece.

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


RARE: Final = "\ue000\ua015\u16a0\u2603\u00a6\u3007\U00013000\u0e5b\u2e80\u0378\u07b1"
"""Letters, a symbol, an ideograph and others that are in longer tokens of few vocabularies."""

COMMON: Final = ("a", "!", "1", "\n", "x", "'", "A", ".", "-", "\u4e2d", "\u0301", "e")
MOST_RARE: Final = 6
MOST_PAIRS: Final = 8
MOST_TEXTS: Final = 5
"""Number of texts of a part of a character that are tried with further pairs."""
MOST_SINGLE: Final = 40
"""Number of tokens of one character that are also tried as neighbours."""


@dataclass(frozen=True)
class Contexts:
    """The texts that are tried before and after the text of a token.

    Attributes:
        tokens: The texts of the tokens that a text may become.
        mark: The text that a space becomes.
        writes_bytes: Whether the characters of the tokens stand for bytes.

    """

    tokens: Collection[str] = field(repr=False)
    mark: str = MARK
    writes_bytes: bool = False

    def around(
        self, token: str, *, inside: bool = False, ends: bool = False, goes_on: bool = False
    ) -> Iterator[str]:
        """Yield texts that may have a token, likely ones first.

        ``inside`` says that the token continues a word, ``ends`` that it ends a word, and
        ``goes_on`` that more text follows in its word.
        """
        texts: list[str] = []
        more = iter(self._spellings(token))
        for place, (before, after) in enumerate(self._pairs):
            if (inside and not before) or (ends and after) or (goes_on and not after):
                continue
            for text in texts[: MOST_TEXTS if place > MOST_PAIRS else None]:
                yield before + text + after
            for text in more:  # with the first pair
                texts.append(text)
                yield before + text + after

    def _spellings(self, token: str) -> Iterable[str]:
        """Return the texts of a token; the mark of a space may stand for nothing, or for itself."""
        if self.writes_bytes:
            return completions(bytes_of(token))
        spaced = token.replace(self.mark, " ")
        texts = (spaced[1:],) if token.startswith(self.mark) else ()
        return dict.fromkeys((*texts, spaced, token))

    @cached_property
    def _pairs(self) -> list[tuple[str, str]]:
        rare, common = ("", *self._rare), ("", " ", *COMMON)
        pairs = [("", ""), *((one, "") for one in rare), *(("", one) for one in rare)]
        pairs += [*product(rare, rare), *product(common, common)]
        singles = (token for token in self.tokens if len(token) == 1 and token not in COMMON)
        for one in islice(singles, MOST_SINGLE):
            pairs += [(one, ""), ("", one), (one, one)]
        return list(dict.fromkeys(pairs))

    @cached_property
    def _rare(self) -> list[str]:
        """Characters that no token joins to other characters."""
        known = frozenset().union(*(token for token in self.tokens if len(token) > 1))
        return [char for char in RARE if char not in known][:MOST_RARE]
