"""The tensors of a checkpoint by name, and a matrix of embeddings in blocks of rows.

A checkpoint is one safetensors file, or an index of several. The numbers of a row have 32 bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeAlias

import numpy as np

from tokharness import extras
from tokharness.errors import UsageError, message_of
from tokharness.json_content import parse_json
from tokharness.regular_files import open_file, read_file, require_inside_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MOST_VALUES = 2_000_000
"""Values and keys of an index or a header; the largest model in use has 100,000 tensors."""

VALUE_BYTES = {"F16": 2, "BF16": 2, "F32": 4, "F64": 8}
"""The bytes of a value of each type that can be read."""

MOST_HEADER = 100_000_000
"""Bytes of a header; the library of the format reads as many."""

LENGTH_BYTES = 8
"""A file begins with the length of its header: 8 bytes, little-endian."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of a file; ``offset`` is that of its first byte in the file."""

    name: str
    path: Path
    dtype: str
    shape: tuple[int, ...]
    offset: int


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The file that holds each tensor, by the name of the tensor."""

    path: Path
    files: Mapping[str, Path]

    def tensors(self, names: Iterable[str]) -> Iterator[Tensor]:
        """Yield the tensors with these names; of their files, only the headers are read.

        Raises:
            UsageError: a file cannot be read, is no safetensors file, or lacks a tensor.

        """
        headers: dict[Path, Mapping[str, Tensor]] = {}
        for name in names:
            path = self.files[name]
            if path not in headers:
                headers[path] = _header(path)
            if name not in headers[path]:
                raise UsageError(f"{path} has no tensor {name!r}, which {self.path} says it has")
            yield headers[path][name]


def open_checkpoint(path: Path) -> Checkpoint:
    """Read which file holds which tensor.

    Raises:
        UsageError: the file cannot be read, or is neither a safetensors file nor an index of them.

    """
    if path.suffix.lower() != ".json":
        return Checkpoint(path, dict.fromkeys(_header(path), path))
    try:
        files = parse_json(read_file(path), MOST_VALUES)["weight_map"]
        found = {name: _file_next_to(path, file) for name, file in files.items()}
        require_inside_folder(path.parent, {*found.values()})
        return Checkpoint(path, found)
    except OSError as error:
        raise _unreadable(path, error) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"{path} is not an index of safetensors files: it needs a weight_map from the names of "
            "tensors to those of files in its folder"
        ) from error


def _file_next_to(index: Path, name: str) -> Path:
    if Path(name).name != name:
        raise ValueError(name)
    return index.with_name(name)


def _header(path: Path) -> Mapping[str, Tensor]:
    """Return the tensors of a file, after the library of the format accepted its header."""
    try:
        import numpy as np  # noqa: F401 - the library needs it
        from safetensors import SafetensorError, safe_open
    except ImportError as error:
        raise UsageError(
            "embeddings are read with numpy and safetensors, of which one is not installed: "
            f"{extras.what_installs('embeddings')}"
        ) from error
    try:
        with open_file(path) as file:
            length, header = _parsed_header(file)
            with safe_open(path, framework="numpy"):
                pass
    except OSError as error:
        raise _unreadable(path, error) from error
    except (SafetensorError, ValueError, MemoryError) as error:  # it is mapped into memory
        raise UsageError(f"{path} is not a safetensors file: {message_of(error)}") from error
    return {
        name: Tensor(
            name,
            path,
            entry["dtype"],
            tuple(entry["shape"]),
            LENGTH_BYTES + length + entry["data_offsets"][0],
        )
        for name, entry in header.items()
        if name != "__metadata__"
    }


def _parsed_header(file: BinaryIO) -> tuple[int, dict[str, dict[str, Any]]]:
    """Return the length of a header, and its content; raises ValueError if it is damaged."""
    length = int.from_bytes(file.read(LENGTH_BYTES), "little")
    if length > MOST_HEADER:
        raise ValueError(f"its header has {length:,} bytes, more than {MOST_HEADER:,}")
    header = parse_json(file.read(length), MOST_VALUES)
    if not isinstance(header, dict):
        raise ValueError("its header is not an object")  # noqa: TRY004 - like all file errors
    return length, header


def _unreadable(path: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot read the embeddings {path}: {error.strerror or message_of(error)}")


if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import numpy.typing as npt


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
