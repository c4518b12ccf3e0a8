"""Folders of the user: the home directory in a path, and the folder of the cache.

A process may have none, as in a container whose user has no entry and no ``HOME``: pathlib and
platformdirs then raise RuntimeError, or return a path in the working directory, whose files are
not the user's.
"""

from __future__ import annotations

import os
from pathlib import Path


def expand_user(text: str) -> Path:
    """Return a path with the home directory for ``~``, or as it is where no user has the name."""
    return Path(os.path.expanduser(text))  # noqa: PTH111 - that of pathlib raises RuntimeError


def user_cache() -> Path | None:
    """Return the folder for the files of tokharness in the user's cache; None without a home."""
    import platformdirs

    try:
        folder = Path(platformdirs.user_cache_dir("tokharness", appauthor=False))
    except RuntimeError:
        return None
    return folder if folder.is_absolute() else None
