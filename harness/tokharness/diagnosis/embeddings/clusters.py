"""Where the rows that are known to be unused lie, and how far from there each row is.

Distances are measured between rows, as in Land and Bartolo, *Fishing for Magikarp* (2024), for
input embeddings; and between their directions without the first principal component, as there for
output embeddings. The distance of two directions is that of their unit vectors, which orders rows
as the cosine distance does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tokharness.diagnosis.embeddings.survey import row_norms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.diagnosis.embeddings.survey import Numbers
    from tokharness.embeddings.matrix import Matrix

__all__ = ["FEWEST", "Cluster", "clusters", "distances", "principal_axis"]

FEWEST = 3
"""Rows that make a cluster, at least; one or two may differ for another reason."""

MOST_SAMPLED = 256
ROWS_FOR_AXIS = 4096
LEAST_ACROSS = 1e-3
"""The part of a row that has a direction, at least; less than that is rounding."""

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
    """Return where unused rows lie, and where their directions do; nothing for too few rows."""
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
    """Return the products of directions without the first vector with each of the others.

    They are zero for a row that has almost nothing but that vector.
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
