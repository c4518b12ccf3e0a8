"""Write a file aside and put it in its place whole, so that a failure leaves the one before."""

from __future__ import annotations

import fcntl
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["aside", "is_stream", "only_writer", "try_to_write"]

PROBE = 1 << 16
"""Bytes that a disk has to take before the work for a report begins."""


def is_stream(path: Path) -> bool:
    """Whether this is a pipe, a device or a link, which is written to and never replaced."""
    return path.is_symlink() or (path.exists() and not path.is_file() and not path.is_dir())


@contextmanager
def aside(path: Path) -> Iterator[Path]:
    """Give a new file in the folder of ``path``, which is gone afterwards unless renamed.

    Raises:
        OSError: there cannot be one.

    """
    if path.is_dir():
        raise IsADirectoryError(0, "it is a folder; name a file in it")
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    beside = Path(name)
    try:
        beside.chmod(0o644)
        yield beside
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Keep other writers of this folder out, for the moment between looking and renaming.

    Raises:
        OSError: there is no such folder.

    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def try_to_write(path: Path) -> None:
    """Raise OSError if a file of some size cannot be written here; leaves nothing."""
    if not is_stream(path):
        with aside(path) as beside:
            beside.write_bytes(bytes(PROBE))
