"""Rank the rows of a matrix by how untrained they look, and say which of them are candidates.

The indicators are those of Land and Bartolo, *Fishing for Magikarp* (2024). They rank, and that
paper looks at the first two percent of a model's tokens. A threshold takes the place of a share
here, so that a model without untrained rows has no candidate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tokharness.diagnosis.embeddings.clusters import FEWEST, clusters, distances, principal_axis
from tokharness.diagnosis.embeddings.survey import survey

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from tokharness.diagnosis.embeddings.survey import Numbers
    from tokharness.embeddings.matrix import Matrix

__all__ = ["Indicator", "Ranking", "rank_rows"]

GAP = 1.5
"""Rows with small norms stand apart if the next larger norm is this many times as large."""

APART = 1 / 3
"""Unused rows stand apart if they are at most this part of the median distance from each other."""

NEAR_ZERO = 0.01
"""A norm of this part of the median is that of a row that decayed to zero."""

SAME_PLACE = 1e-3
"""Distances below this part of the median are those of single-precision rounding."""

LEAST = float(np.finfo(np.float32).tiny)
"""The least threshold, for a matrix of zeros."""


@dataclass(frozen=True, slots=True)
class Indicator:
    """A value of each row, small for untrained rows; those up to the threshold are candidates.

    A distance is one from the unused rows that ``near`` names.
    """

    name: str
    values: Numbers
    threshold: float
    near: str = ""

    def __str__(self) -> str:
        return f"{self.name} from {self.near}" if self.near else self.name


@dataclass(frozen=True, slots=True)
class Ranking:
    """The rows of a matrix by their score: the smallest indicator, as a part of its threshold.

    Attributes:
        matrix: The matrix.
        norms: The norm of each row.
        indicators: The indicators that this matrix has.
        scores: The score of each row; up to 1 for a candidate.
        order: The numbers of the rows, the lowest score first.

    """

    matrix: Matrix
    norms: Numbers
    indicators: Sequence[Indicator]
    scores: Numbers
    order: Sequence[int]

    def candidates(self, known: Collection[int], n_vocab: int) -> list[int]:
        """Return the rows of tokens, best first, that look untrained and are not known to be."""
        looking = self.order[: int(np.count_nonzero(self.scores <= 1))]
        return [row for row in looking if row < n_vocab and row not in known]

    def indicator(self, row: int) -> Indicator:
        """Return the indicator that gives a row its score."""
        return min(self.indicators, key=lambda one: one.values[row] / one.threshold)


def rank_rows(matrix: Matrix, unused: Mapping[str, Sequence[int]]) -> Ranking:
    """Rank the rows of a matrix, of which some are known to be unused, by the reason."""
    surveyed = survey(matrix)
    axis = principal_axis(matrix)
    found = [
        cluster
        for reason, numbers in unused.items()
        for cluster in clusters(matrix, reason, numbers, axis)
    ]
    indicators, norms_of_clusters = [], []
    for cluster, values in zip(found, distances(matrix, found, axis), strict=True):
        threshold = max(cluster.radius, SAME_PLACE * float(np.median(values)), LEAST)
        if _stands_apart(values, threshold):
            name = "distance of directions" if cluster.of_directions else "distance"
            indicators.append(Indicator(name, values, threshold, cluster.reason))
            norms_of_clusters.append(cluster.norm)
    smallest = _largest_small_norm(surveyed.norms, norms_of_clusters)
    equal = np.where(surveyed.has_equal, 0.0, np.inf)
    indicators += [Indicator("norm", surveyed.norms, smallest), Indicator("equal rows", equal, 1.0)]
    scores = np.min([one.values / one.threshold for one in indicators], axis=0)
    order = np.lexsort((surveyed.norms, scores)).tolist()
    return Ranking(matrix, surveyed.norms, indicators, scores, order)


def _stands_apart(distances: Numbers, radius: float) -> bool:
    """Whether rows within a radius are a cluster: far from most rows, with few rows around it."""
    inside = np.count_nonzero(distances <= radius)
    around = np.count_nonzero(distances <= GAP * radius) - inside
    return bool(radius <= APART * np.median(distances) and around <= inside)


def _largest_small_norm(norms: Numbers, of_unused: Sequence[float]) -> float:
    """Return the largest norm of the rows whose norms are small and stand apart.

    Where rows that are known to be unused have larger norms, a small norm is no sign.
    """
    ordered, median = np.sort(norms), float(np.median(norms))
    small = ordered[:-1] <= median / 2
    jumps = np.flatnonzero(small & (ordered[1:] > GAP * ordered[:-1]))
    largest = float(ordered[jumps[-1]]) if len(jumps) and jumps[-1] >= FEWEST - 1 else 0.0
    if any(norm > largest for norm in of_unused):
        largest = 0.0
    return max(largest, NEAR_ZERO * median, LEAST)
