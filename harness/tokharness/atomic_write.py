"""Atomic writes: write a temporary file and rename it, so that a failure keeps the old file."""

from __future__ import annotations

import fcntl
import os
import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tokharness import interrupts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROBE_SIZE = 1 << 16
"""Bytes that must fit on the disk before the work for a report begins."""


def is_stream(path: Path) -> bool:
    """Whether a path is a pipe, a device or a link, which must be written to, not replaced."""
    return path.is_symlink() or (path.exists() and not path.is_file() and not path.is_dir())


@contextmanager
def temporary_sibling(path: Path) -> Iterator[Path]:
    """Yield a new file in the folder of ``path``; delete it afterwards unless it was renamed.

    Raises:
        OSError: the file cannot be created.

    """
    if path.is_dir():
        raise IsADirectoryError(0, "it is a folder; name a file in it")
    sibling = path.parent / f".{path.name}.{secrets.token_hex(4)}"
    interrupts.register(str(sibling.absolute()))
    sibling.touch(0o600, exist_ok=False)
    try:
        sibling.chmod(0o644)
        yield sibling
    finally:
        sibling.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8, and replace the file with it; a stream is written to.

    Raises:
        OSError: the file cannot be written.

    """
    if is_stream(path):
        path.write_text(text, encoding="utf-8")
        return
    with temporary_sibling(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Hold an exclusive lock on a folder, for example from reading a file to replacing it.

    Raises:
        OSError: the folder does not exist.

    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def check_writable(path: Path) -> None:
    """Raise OSError if a file cannot be written to ``path``; leaves no file behind."""
    if not is_stream(path):
        with temporary_sibling(path) as sibling:
            sibling.write_bytes(bytes(PROBE_SIZE))
