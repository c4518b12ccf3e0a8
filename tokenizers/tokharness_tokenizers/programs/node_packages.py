"""Find a package of npm: in the folder of a variable, or among the global ones.

The working directory is not looked at: its code would run with a file that is mere data.
"""

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
    return _find_program("node")


def _find_program(name: str) -> str | None:
    """Return the path of a program; parts of PATH that depend on the working directory are none."""
    parts = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, parts)))


def folder_of_package(package: str) -> Path | None:
    """Return the folder ``node_modules`` that has a package; None if there is none.

    It is that of :data:`VARIABLE` if this is set, else the global one.
    """
    return next((one for one in _folders() if (one / package / "package.json").is_file()), None)


def _folders() -> Iterator[Path]:
    if folder := os.environ.get(VARIABLE):
        yield Path(folder).absolute()
        return
    if (folder := _global_folder()) is not None:
        yield Path(folder)


@functools.cache
def _global_folder() -> str | None:
    npm = _find_program("npm")
    if npm is None:
        return None
    try:
        done = subprocess.run(
            [npm, "root", "--global"],
            capture_output=True,
            text=True,
            timeout=NPM_SECONDS,
            check=True,
            cwd=Path.home(),  # the working directory may have settings of npm
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None
