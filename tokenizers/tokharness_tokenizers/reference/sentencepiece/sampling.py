"""The best segmentations of a text, and random segmentations (Kudo 2018, "Subword Regularization").

With a Unigram model the probability of a segmentation is proportional to ``exp(alpha * score)``:
among the best segmentations, or among all, by forward filtering and backward sampling. With a BPE
model each merge is left out with the probability ``alpha`` (Provilkov et al. 2020, "BPE-Dropout");
the same two parts are not tried again.

Scores are exact here. A user-defined piece has the score 0.1 for each character after its first,
whereas the best segmentation by itself counts bytes; the library does the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import SentencePieceUnigram
from tokharness_tokenizers.reference.models.unigram import lengths_at
from tokharness_tokenizers.reference.splitting import join_surrogates

if TYPE_CHECKING:
    import random

    from tokharness_tokenizers.reference.sentencepiece.tokenizer import SentencePiece

Edge: TypeAlias = tuple[int, int, float]
"""The start and the end of a piece in a text, and its score."""


def best_segmentations(
    tokenizer: SentencePiece, text: str, size: int
) -> list[tuple[list[int], float]]:
    """Return the ids and the scores of up to ``size`` segmentations, the best segmentation first.

    Raises:
        ValueError: the model is not a Unigram model.

    """
    lattice = _lattice(tokenizer, text)
    return [
        (tokenizer.ids_of(lattice.tokens(path), lattice.text), score)
        for path, score in lattice.best(size)
    ]


def sample(
    tokenizer: SentencePiece,
    text: str,
    chosen: random.Random,
    *,
    alpha: float,
    best: int | None = None,
) -> list[int]:
    """Return the ids of a random segmentation.

    Args:
        tokenizer: The tokenizer.
        text: The text.
        chosen: The source of randomness.
        alpha: The inverse temperature; with a BPE model, the probability of leaving a merge out.
        best: The number of best segmentations to choose from; None for all.

    Raises:
        ValueError: the model is neither a Unigram nor a BPE model.

    """
    if isinstance(tokenizer.model, SentencePieceBPE):
        normalized = tokenizer.normalizing.normalize(join_surrogates(text))
        tokens = tokenizer.model.tokens(normalized, lambda: chosen.random() < alpha)
        return tokenizer.ids_of(tokens, normalized)
    lattice = _lattice(tokenizer, text)
    if best is None:
        path = lattice.sample(chosen, alpha)
    else:
        paths = lattice.best(best)
        top = paths[0][1]
        weights = [math.exp(alpha * (score - top)) for _, score in paths]
        path = chosen.choices([path for path, _ in paths], weights)[0]
    return tokenizer.ids_of(lattice.tokens(path), lattice.text)


def _lattice(tokenizer: SentencePiece, text: str) -> _Lattice:
    model = tokenizer.model
    if not isinstance(model, SentencePieceUnigram):
        raise ValueError("only a Unigram model has scores of segmentations")  # noqa: TRY004
    defined = {one: 0.1 * (len(one) - 1) for one in tokenizer.vocabulary.user_defined}
    scores = {piece: defined.get(piece, score) for piece, score in model.piece_scores.items()}
    normalized = tokenizer.normalizing.normalize(join_surrogates(text))
    return _Lattice(normalized, replace(model, piece_scores=scores))


@dataclass(frozen=True)
class _Lattice:
    """All pieces of a text, at their places."""

    text: str
    model: SentencePieceUnigram

    def edges_to(self) -> list[list[Edge]]:
        """Return the pieces that end at each place, in the order of their starts."""
        edges: list[list[Edge]] = [[] for _ in range(len(self.text) + 1)]
        scores, lengths, text = self.model.piece_scores, self.model.lengths, self.text
        for start, first in enumerate(text):
            edges[start + 1].append((start, start + 1, self.model.score_of(first)))
            for length in lengths_at(lengths, text, start):
                end = start + length
                score = scores.get(text[start:end])
                if score is not None and end <= len(text):
                    edges[end].append((start, end, score))
        return edges

    def best(self, size: int) -> list[tuple[list[Edge], float]]:
        """Return up to ``size`` ways through the text with their scores, the best first."""
        ways: list[list[tuple[list[Edge], float]]] = [[([], 0.0)]]
        for edges in self.edges_to()[1:]:
            found = [
                ([*way, edge], score + edge[2]) for edge in edges for way, score in ways[edge[0]]
            ]
            ways.append(sorted(found, key=lambda one: -one[1])[:size])
        return ways[-1] if self.text else []

    def sample(self, chosen: random.Random, alpha: float) -> list[Edge]:
        """Return a random way: a sum over all ways to each place, and a choice from the end on."""
        edges = self.edges_to()
        sums = [0.0]
        for found in edges[1:]:
            sums.append(_log_sum([sums[start] + alpha * score for start, _, score in found]))
        way: list[Edge] = []
        at = len(self.text)
        while at:
            weights = [math.exp(sums[start] + alpha * s - sums[at]) for start, _, s in edges[at]]
            way.append(chosen.choices(edges[at], weights)[0])
            at = way[-1][0]
        return way[::-1]

    def tokens(self, way: list[Edge]) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each piece of a way."""
        find, unknown = self.model.vocabulary.get, self.model.unknown
        return [(find(self.text[start:end], unknown), end - start) for start, end, _ in way]


def _log_sum(values: list[float]) -> float:
    top = max(values)
    return top + math.log(sum(math.exp(value - top) for value in values))
