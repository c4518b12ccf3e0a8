"""The one way to read a file that a user or another file names.

A path may lead to a pipe without a writer, to a device that never ends, or to a sparse file of a
terabyte. So a file is opened without waiting, has to be regular, and is read up to a limit.
What is refused is an OSError with a reason, like a file that is missing.

A file that is found in a folder, and not named itself, belongs to the folder or its project: one
that a stranger made may have links to any file of the user.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from tokharness.project import root_of

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_BYTES = 1 << 26
"""Bytes of a file that is read whole; the largest tokenizer.json in use has 33 million.

A text with one character above U+FFFF takes four bytes for each of its characters, and a reader has
up to three copies of it: 64 MB of JSON, or of a SentencePiece model, took 790 MB.
"""

MOST_BYTES_OF_LINES = 1 << 25
"""Bytes of a file of tokens or merges, of which one line of 64 MB took 1,300 MB and 15 seconds; the
largest one in use has four million."""

MOST_LINES = 1 << 20
"""Lines of a file of tokens or merges; each takes a few hundred bytes of memory, even if empty."""

_OTHERS = ((stat.S_ISDIR, "folder"), (stat.S_ISFIFO, "pipe"), (stat.S_ISSOCK, "socket"))
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY


def open_file(path: Path | str) -> BinaryIO:
    """Open a regular file to read its bytes; raises OSError for anything else, and never waits."""
    return open(path, "rb", opener=_open_regular)


def is_there(path: Path) -> bool:
    """Whether a folder has a file of this name, or anything else, which reading it refuses.

    A file that may be missing is missed only if nothing has its name: not if it is a pipe, or a
    link that leads nowhere.
    """
    return os.path.lexists(path)


def open_stream(path: Path | str) -> BinaryIO:
    """Open a regular file, or a pipe, for whose writer it waits; raises OSError for the others."""
    if stat.S_ISFIFO(os.stat(path).st_mode):  # noqa: PTH116
        return open(path, "rb")  # noqa: PTH123
    return open_file(path)


def _open_regular(path: str, _: int) -> int:
    descriptor = os.open(path, _FLAGS)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    kind = next((name for is_kind, name in _OTHERS if is_kind(mode)), "device")
    raise OSError(errno.EINVAL, f"it is a {kind}, not a file", path)


def read_file(path: Path | str, most: int = MOST_BYTES) -> bytes:
    """Return the content of a regular file.

    Raises:
        OSError: it cannot be read, is not a regular file, or has more than ``most`` bytes, of which
            none is read then.

    """
    with open_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        try:
            data = b"" if size > most else file.read(most + 1)
        except MemoryError as error:
            raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM), str(path)) from error
    if max(size, len(data)) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most >> 20:,} MB", str(path))
    return data


def read_lines(path: Path | str) -> bytes:
    """Return the content of a regular file of lines.

    Raises:
        OSError: as :func:`read_file`, or it has more than :data:`MOST_BYTES_OF_LINES` bytes or
            :data:`MOST_LINES` lines.

    """
    data = read_file(path, MOST_BYTES_OF_LINES)
    if data.count(b"\n") + data.count(b"\r") > MOST_LINES:
        raise OSError(errno.EFBIG, f"it has more than {MOST_LINES:,} line ends", str(path))
    return data


def require_inside_folder(folder: Path, paths: Iterable[Path]) -> None:
    """Raise OSError for a path in a folder that leads out of the folder and of its project.

    A snapshot in the cache of the Hugging Face Hub consists of links to a folder next to it.
    """
    whole = Path(os.path.realpath(folder))
    root = _model_of_snapshot(whole) or Path(os.path.realpath(root_of(folder)))
    for path in paths:
        if not Path(os.path.realpath(path)).is_relative_to(root):
            what = f"{path.name} is a link that leads out of the folder {folder}"
            raise OSError(errno.EXDEV, f"{what}: name the file itself", str(path))


def _model_of_snapshot(folder: Path) -> Path | None:
    """Return ``models--*`` for ``models--*/snapshots/REVISION`` and the folders in it, or None."""
    for snapshots in folder.parents:
        if snapshots.name == "snapshots" and snapshots.parent.name.startswith("models--"):
            return snapshots.parent
    return None
