"""Kinds of vocabulary files: each public module here reads one, and names its library.

A module has ``WORDS``, what the file is in an error, such as "a GGUF file"; ``matches(path)``,
whether a file is one, seen from its content; ``load(path)``, which returns the reference tokenizer
of a file and raises ValueError or OSError; and ``library(path)``, the spec of the library that
reads the same file, or None if there is none or it is not installed. It may have ``FILE_NAME``, the
name of such a file in a folder; ``matches_folder(path)``, for a format of several files, whose
``load`` and ``library`` get the folder, too; and ``RECOGNIZED``, True if the path of such a file
alone is a target of the reference where ``library`` gives None.
"""

from __future__ import annotations

import errno
import functools
import importlib
import os
import pkgutil
from typing import TYPE_CHECKING, Any

from tokharness.regular_files import require_inside_folder

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FOLDER_ORDER", "find", "formats", "is_a"]

FOLDER_ORDER = ("tokenizer.json", "tekken.json", "tokenizer.model", "vocab.json", "vocab.txt")
"""Names of files in a folder, the one that counts first."""


@functools.cache
def formats() -> tuple[Any, ...]:
    """Return the modules of the formats, in alphabetical order."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    public = (name for name in names if not name.startswith("_"))
    return tuple(importlib.import_module(f"{__name__}.{name}") for name in public)


def find(path: Path) -> tuple[Any, Path] | None:
    """Return the module that reads a path, and the path that it reads; None if there is none.

    In a folder this is the file with the name that is first in :data:`FOLDER_ORDER`. Raises OSError
    for a path that cannot be read, leads out of the folder, or needs more memory than there is.
    """
    try:
        if path.is_dir():
            return _find_in_folder(path)
        return next(((one, path) for one in formats() if one.matches(path)), None)
    except MemoryError as error:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM), str(path)) from error


def _find_in_folder(path: Path) -> tuple[Any, Path] | None:
    for name in FOLDER_ORDER:
        for one in formats():
            matches_folder = getattr(one, "matches_folder", None)
            if getattr(one, "FILE_NAME", None) != name:
                continue
            if matches_folder and matches_folder(path):
                return one, path
            file = path / name
            if not matches_folder and file.is_file() and one.matches(file):
                require_inside_folder(path, [file])
                return one, file
    return None


def is_a(name: str, path: Path) -> bool:
    """Whether a file, or the one that counts in a folder, has the format of a module."""
    found = find(path) if path.exists() else None
    return found is not None and found[0].__name__.rpartition(".")[2] == name
