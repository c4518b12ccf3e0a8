"""Rank the rows of a matrix by how untrained they look, from one pass over it.

The indicators are those of Land and Bartolo, *Fishing for Magikarp* (2024). That paper ranks the
tokens of a model by them and examines the first two percent. Here, a threshold takes the place of
that share, so that a model without untrained rows has no candidate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tokharness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    import numpy.typing as npt

    from tokharness.embeddings.matrix import Matrix

# One pass over a matrix shows the norm of each row, and whether another row equals it.

Numbers: TypeAlias = "npt.NDArray[np.floating[Any]]"


@dataclass(frozen=True, slots=True)
class Survey:
    """The norm of each row, and whether another row has the same bits."""

    norms: Numbers
    has_equal: npt.NDArray[np.bool_]


def survey(matrix: Matrix) -> Survey:
    """Read all rows once.

    Raises:
        UsageError: a row has a value that is not a finite number.

    """
    norms = np.empty(matrix.rows)
    hashes = np.empty(matrix.rows, np.uint64)
    factors = np.random.default_rng(0).integers(1, 1 << 64, matrix.width, np.uint64)
    for block in matrix.blocks():
        rows = slice(block.first, block.first + len(block.values))
        norms[rows] = row_norms(block.values)
        hashes[rows] = block.bits.astype(np.uint64) @ (factors | np.uint64(1))
    wrong = np.flatnonzero(~np.isfinite(norms))
    if len(wrong):
        raise UsageError(
            f"the tensor {matrix.tensor.name!r} of {matrix.tensor.path} has values that are not "
            f"finite numbers of 32 bits in {len(wrong):,} of {matrix.rows:,} rows, the first in "
            f"row {wrong[0]}: the checkpoint is damaged"
        )
    _, inverse, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    return Survey(norms, counts[inverse] > 1)


def row_norms(rows: Numbers) -> Numbers:
    """Return the norm of each row."""
    with np.errstate(over="ignore", invalid="ignore"):
        norms: Numbers = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        return norms


# Where the rows that are known to be unused lie, and the distance of each row from there.
#
# Distances are measured between rows, as in Land and Bartolo, *Fishing for Magikarp* (2024), for
# input embeddings; and between their directions without the first principal component, as that
# paper does for output embeddings. The distance of two directions is the distance of their unit
# vectors, which orders rows as the cosine distance does.

FEWEST = 3
"""Smallest number of rows in a cluster; one or two rows may differ for another reason."""

MOST_SAMPLED = 256
ROWS_FOR_AXIS = 4096
LEAST_ACROSS = 1e-3
"""Smallest part of a row that has a direction; a smaller part is rounding."""

STEPS = 20
"""Steps of the power method; the first component of embeddings is much larger than the second."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """The mean of some unused rows, their typical norm, and how far they are from each other.

    ``of_directions`` is true if the rows are unit vectors without the first principal component.
    """

    reason: str
    mean: Numbers
    norm: float
    radius: float
    of_directions: bool


def principal_axis(matrix: Matrix) -> Numbers:
    """Return the direction of the first principal component of an even sample of the rows."""
    numbers = np.unique(np.linspace(0, matrix.rows - 1, ROWS_FOR_AXIS).astype(int))
    rows = matrix.some(numbers.tolist())
    rows = rows - rows.mean(axis=0)
    axis = np.random.default_rng(0).standard_normal(matrix.width).astype(np.float32)
    for _ in range(STEPS):
        axis = rows.T @ (rows @ axis)
        length = np.linalg.norm(axis)
        if not length:  # all rows are equal
            return np.zeros_like(axis)
        axis /= length
    return axis


def clusters(matrix: Matrix, reason: str, numbers: Sequence[int], axis: Numbers) -> list[Cluster]:
    """Return the clusters of unused rows and of their directions; none for too few rows."""
    if len(numbers) < FEWEST:
        return []
    chosen = np.unique(np.linspace(0, len(numbers) - 1, MOST_SAMPLED).astype(int))
    rows = matrix.some([numbers[index] for index in chosen])
    norm = float(np.median(row_norms(rows)))
    points = ((rows, False), (_directions(rows, axis), True))
    return [Cluster(reason, *_central(of.astype(float), norm), unit) for of, unit in points]


def distances(matrix: Matrix, places: Sequence[Cluster], axis: Numbers) -> Sequence[Numbers]:
    """Return the distance of all rows from the mean of each cluster, in one pass."""
    found = [np.empty(matrix.rows) for _ in places]
    means = [place.mean.astype(np.float32) for place in places]
    for block in matrix.blocks():
        rows = slice(block.first, block.first + len(block.values))
        cosines = _cosines(block.values, [axis, *means])
        for column, place, mean, cosine in zip(found, places, means, cosines, strict=True):
            if place.of_directions:
                column[rows] = np.sqrt(np.maximum(1 + mean @ mean - 2 * cosine, 0))
            else:
                column[rows] = row_norms(block.values - mean)
    return found


def _cosines(values: Numbers, vectors: Sequence[Numbers]) -> Numbers:
    """Return the products of rows' directions, without the first vector, with each other vector.

    The products are zero for a row along that first vector alone.
    """
    lengths = row_norms(values)
    products = np.stack(vectors) @ values.T
    along = products[0]
    across = np.sqrt(np.maximum(lengths**2 - along**2, 0))
    has_direction = across > LEAST_ACROSS * lengths
    cosines: Numbers = np.where(has_direction, products[1:], 0)
    cosines /= np.where(has_direction, across, 1)
    return cosines


def _directions(rows: Numbers, axis: Numbers) -> Numbers:
    """Return rows without their part along an axis, as unit vectors; zero stays zero."""
    across = rows - np.outer(rows @ axis, axis)
    lengths = row_norms(across)[:, None]
    directions: Numbers = across / np.where(lengths > 0, lengths, 1)
    return directions


def _central(points: Numbers, norm: float) -> tuple[Numbers, float, float]:
    """Return the mean of the more central half of points, the norm, and their median distance.

    The other half may hold rows that were trained.
    """
    squares = np.einsum("ij,ij->i", points, points)
    between = np.sqrt(np.maximum(squares[:, None] + squares - 2 * points @ points.T, 0))
    typical = np.median(between, axis=1)
    kept = np.flatnonzero(typical <= np.median(typical))
    pairs = between[np.ix_(kept, kept)][np.triu_indices(len(kept), 1)]
    return points[kept].mean(axis=0), norm, float(np.median(pairs))


GAP = 1.5
"""Rows with small norms stand apart if the next norm is more than this many times as large."""

APART = 1 / 3
"""Unused rows stand apart if their mutual distance is at most this part of the median distance."""

NEAR_ZERO = 0.01
"""A row whose norm is at most this part of the median has decayed to zero."""

SAME_PLACE = 1e-3
"""Distances below this part of the median come from single-precision rounding."""

LEAST = float(np.finfo(np.float32).tiny)
"""The least threshold, for a matrix of zeros."""


@dataclass(frozen=True, slots=True)
class Indicator:
    """A value of each row, small for untrained rows; rows up to the threshold are candidates.

    A distance is measured from the unused rows that ``near`` names.
    """

    name: str
    values: Numbers
    threshold: float
    near: str = ""

    def __str__(self) -> str:
        return f"{self.name} from {self.near}" if self.near else self.name


@dataclass(frozen=True, slots=True)
class Ranking:
    """The rows of a matrix by their score: the smallest indicator, divided by its threshold.

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
        """Return rows of tokens, best first, that look untrained and are not known to be unused."""
        looking = self.order[: int(np.count_nonzero(self.scores <= 1))]
        return [row for row in looking if row < n_vocab and row not in known]

    def indicator(self, row: int) -> Indicator:
        """Return the indicator that gives a row its score."""
        return min(self.indicators, key=lambda one: one.values[row] / one.threshold)


def rank_rows(matrix: Matrix, unused: Mapping[str, Sequence[int]]) -> Ranking:
    """Rank the rows of a matrix; ``unused`` has rows known to be unused, by the reason."""
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

    If rows that are known to be unused have larger norms, a small norm proves nothing.
    """
    ordered, median = np.sort(norms), float(np.median(norms))
    small = ordered[:-1] <= median / 2
    jumps = np.flatnonzero(small & (ordered[1:] > GAP * ordered[:-1]))
    largest = float(ordered[jumps[-1]]) if len(jumps) and jumps[-1] >= FEWEST - 1 else 0.0
    if any(norm > largest for norm in of_unused):
        largest = 0.0
    return max(largest, NEAR_ZERO * median, LEAST)
