"""Pruning: the pieces whose removal costs the least likelihood are dropped.

Kudo 2018, section 3.2: the loss of a piece is how much the likelihood of the corpus falls without
it. SentencePiece (``unigram_model_trainer.cc``) estimates it: wherever the piece is in the best
segmentation, it would be cut in the best other way, and the counts would change accordingly.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.unigram_training.expectation import UNKNOWN_PENALTY

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

__all__ = ["loss", "other_ways", "prune", "reachable"]


def prune(scores: Mapping[str, float], counts: Mapping[str, int], size: int) -> dict[str, float]:
    """Return the ``size`` pieces with the greatest losses, with their scores.

    ``counts`` says how often each piece is in the best segmentations of the words. Pieces that are
    in none are dropped, too. Those that cannot be cut in another way stay.
    """
    total = sum(counts.values())
    used = [piece for piece in scores if counts.get(piece)]
    kept: list[str] = []
    losses: dict[str, float] = {}
    for piece, (parts, score) in zip(used, other_ways(used, scores), strict=True):
        if not parts:
            kept.append(piece)
        elif score <= scores[piece]:
            others = [counts.get(part, 0) for part in parts]
            losses[piece] = loss(counts[piece], others, total)
    kept += sorted(losses, key=losses.__getitem__, reverse=True)[: max(size - len(kept), 0)]
    return {piece: scores[piece] for piece in kept}


def loss(count: int, others: Sequence[int], total: int) -> float:
    """Return how much the log likelihood of a token falls, on average, without a piece.

    ``count`` is that of the piece, ``others`` has those of the pieces that it would be cut into,
    and ``total`` is the number of all tokens.
    """
    before = math.log(count) - math.log(total)
    new_total = math.log(total + count * (len(others) - 1))
    after = sum(math.log(other + count) - new_total for other in others)
    return count / total * (before - after)


def reachable(scores: Mapping[str, float]) -> dict[str, float]:
    """Return the pieces whose text no other way to cut it scores higher than."""
    return {
        piece: scores[piece]
        for piece, (parts, score) in zip(scores, other_ways(scores, scores), strict=True)
        if not parts or score <= scores[piece]
    }


def other_ways(
    pieces: Collection[str], scores: Mapping[str, float]
) -> Iterator[tuple[list[str], float]]:
    """Yield for each piece the best way to cut its text that is not the piece itself.

    A way has a score. It may have characters that are no pieces. It is empty for a character.
    """
    unknown = min(scores.values(), default=0.0) - UNKNOWN_PENALTY
    for piece in pieces:
        length = len(piece)
        best = [0.0, *[-math.inf] * length]
        begin = [0] * (length + 1)
        for start in range(length):
            here = best[start]
            for stop in range(start + 1, length + (start > 0)):
                score = scores.get(piece[start:stop])
                if score is None:
                    if stop > start + 1:
                        continue
                    score = unknown
                if here + score > best[stop]:
                    best[stop], begin[stop] = here + score, start
        yield _parts(piece, begin) if length > 1 else [], best[length]


def _parts(piece: str, begin: Sequence[int]) -> list[str]:
    parts, stop = [], len(piece)
    while stop:
        parts.append(piece[begin[stop] : stop])
        stop = begin[stop]
    return parts[::-1]
