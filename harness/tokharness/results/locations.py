"""The file of the user's repository at which CI shows the findings of a target."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.plugins.spec_paths import spec_paths

if TYPE_CHECKING:
    from collections.abc import Iterable

FALLBACKS = (
    "pyproject.toml",
    "tokharness.toml",
    "setup.cfg",
    "setup.py",
    "README.md",
    "README.rst",
)


def find_location(spec: str, candidates: Iterable[Path | None]) -> str:
    """Return a path relative to the repository's root, with forward slashes, or "".

    This is the file that the spec names, else the first of ``candidates`` that is in the
    repository, else a file that most repositories have.
    """
    here = Path.cwd()
    root = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
    fallbacks = (folder / name for folder in (here, root) for name in FALLBACKS)
    for path in (*spec_paths(spec), *(path for path in candidates if path), *fallbacks):
        if os.path.isfile(path) and Path(os.path.realpath(path)).is_relative_to(root):  # noqa: PTH113 - loops
            return Path(os.path.realpath(path)).relative_to(root).as_posix()
    return ""
