"""What one pass over a matrix shows of each row: its norm, and an equal row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tokharness.errors import UsageError

if TYPE_CHECKING:
    from typing import Any

    import numpy.typing as npt

    from tokharness.embeddings.matrix import Matrix

__all__ = ["Numbers", "Survey", "row_norms", "survey"]

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
