"""The paths that a spec names, and whether their files change."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Identity: TypeAlias = tuple[int, int, int]
"""The inode of a file, its bytes, and when it was modified."""


def spec_paths(spec: str) -> Iterator[Path]:
    """Yield the paths that a spec may name: of a file, or any word of a ``command:``."""
    scheme, _, rest = spec.partition(":")
    words = rest.split() if scheme == "command" else [rest, *rest.split(":")]
    for word in words:
        if word and "\0" not in word:
            yield Path(word)


def identities_of(specs: Iterable[str]) -> dict[Path, Identity]:
    """Return the identity of each regular file that the specs name, or that a named folder has."""
    named = {path for spec in specs for path in spec_paths(spec)}
    found = ((path, _identity(path)) for one in named for path in (one, *_files_in(one)))
    return {path: identity for path, identity in found if identity is not None}


def changed_path(before: Mapping[Path, Identity]) -> Path | None:
    """Return a file that was changed, replaced or removed; None if all files are the same."""
    return next((path for path, one in before.items() if _identity(path) != one), None)


SUFFIXES = (".json", ".model", ".txt", ".jinja", ".tiktoken", ".gguf", ".gz", ".bpe")
"""Suffixes of a tokenizer's files in a folder; a run writes other files, such as its journal."""


def _files_in(folder: Path) -> list[Path]:
    try:
        return [Path(entry.path) for entry in os.scandir(folder) if entry.name.endswith(SUFFIXES)]
    except OSError:  # a file, or a missing path
        return []


def _identity(path: Path) -> Identity | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_ino, status.st_size, status.st_mtime_ns) if path.is_file() else None
