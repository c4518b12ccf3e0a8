"""A matrix of embeddings: its rows, in blocks or some of them, as numbers of 32 bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from tokharness.embeddings.checkpoint import VALUE_BYTES
from tokharness.errors import UsageError
from tokharness.regular_files import open_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import numpy.typing as npt

    from tokharness.embeddings.checkpoint import Tensor

Floats: TypeAlias = "npt.NDArray[np.float32]"
Bits: TypeAlias = "npt.NDArray[np.unsignedinteger[Any]]"

Kind: TypeAlias = Literal["input", "output"]

VALUES_IN_A_BLOCK = 1 << 22


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive rows: the number of the first one, their bits, and their values."""

    first: int
    bits: Bits
    values: Floats


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix with a row for each id, of the input or of the output of a model."""

    tensor: Tensor
    kind: Kind

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.tensor.shape[0]

    @property
    def width(self) -> int:
        """The number of values of a row."""
        return self.tensor.shape[1]

    def blocks(self) -> Iterator[Block]:
        """Yield all rows, in blocks of a few megabytes."""
        size = max(1, VALUES_IN_A_BLOCK // self.width)
        for first in range(0, self.rows, size):
            bits = self._bits(first, min(size, self.rows - first))
            yield Block(first, bits, self._values(bits))

    def some(self, numbers: Sequence[int]) -> Floats:
        """Return the values of some rows."""
        return self._values(np.concatenate([self._bits(number, 1) for number in numbers]))

    def _bits(self, first: int, count: int) -> Bits:
        size = VALUE_BYTES[self.tensor.dtype]
        offset = self.tensor.offset + first * self.width * size
        try:
            with open_file(self.tensor.path) as file:
                bits = np.fromfile(file, f"<u{size}", count * self.width, offset=offset)
            return bits.reshape(count, self.width)
        except (OSError, ValueError) as error:
            raise UsageError(
                f"cannot read the rows from {first} on of {self.tensor.name!r} in "
                f"{self.tensor.path}: the file is not there any more, or is too short"
            ) from error

    def _values(self, bits: Bits) -> Floats:
        if self.tensor.dtype == "BF16":  # the upper half of a number of 32 bits
            return (bits.astype("<u4") << 16).view("<f4")
        with np.errstate(over="ignore"):  # it becomes infinite, which is reported
            return bits.view(f"<f{bits.itemsize}").astype(np.float32, copy=False)
