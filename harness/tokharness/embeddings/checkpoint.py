"""The tensors of a checkpoint, by their names: one safetensors file, or an index of several."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

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
