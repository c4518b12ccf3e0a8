"""Find a package of npm: in the folder of a variable, near the working directory, or globally."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["VARIABLE", "find_node", "folder_of_package"]

VARIABLE = "TOKHARNESS_NODE_MODULES"
"""The environment variable with the path of a folder ``node_modules``; no other is looked at."""

NPM_SECONDS = 10.0


def find_node() -> str | None:
    """Return the path of Node.js; None if it is not installed."""
    return shutil.which("node")


def folder_of_package(package: str) -> Path | None:
    """Return the folder ``node_modules`` that has a package; None if there is none.

    It is that of :data:`VARIABLE` if this is set, else one in the working directory or a parent of
    it, else the global one.
    """
    return next((one for one in _folders() if (one / package / "package.json").is_file()), None)


def _folders() -> Iterator[Path]:
    if folder := os.environ.get(VARIABLE):
        yield Path(folder).absolute()
        return
    here = Path.cwd()
    yield from (parent / "node_modules" for parent in (here, *here.parents))
    if (folder := _global_folder()) is not None:
        yield Path(folder)


@functools.cache
def _global_folder() -> str | None:
    npm = shutil.which("npm")
    if npm is None:
        return None
    try:
        done = subprocess.run(
            [npm, "root", "--global"],
            capture_output=True,
            text=True,
            timeout=NPM_SECONDS,
            check=True,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None
