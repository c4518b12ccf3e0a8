"""Write a file under a temporary name, then rename it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write(path: Path, data: bytes) -> None:
    """Write a file by way of ``PATH.partial``, which is removed on failure; raises OSError."""
    partial = path.with_name(path.name + ".partial")
    try:
        partial.unlink(missing_ok=True)
        with partial.open("xb") as file:  # a symbolic link of this name is not followed
            file.write(data)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
