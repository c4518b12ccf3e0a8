"""The project that a folder belongs to, which files of a checkout cannot lead out of.

It is the repository around the folder, else the folder alone. The search for the repository stops
where git's does: at the home directory, at the boundary of a file system, and at a folder of
another user, in which others may have planted one.
"""

from __future__ import annotations

import os
from pathlib import Path

from tokharness.errors import UsageError

MARKERS = (".git", ".hg", ".jj", ".svn")
"""What the root of a repository has."""


def root_of(folder: Path) -> Path:
    """Return the root of the repository around a folder, or the folder if there is none.

    The folder may be missing; then its project is the project of the nearest folder that exists.
    """
    start = _existing(folder)
    home, device = _home(), start.stat().st_dev
    for parent in (start, *start.parents):
        if parent != start:
            ends = parent == home or parent.stat().st_dev != device
            if ends or is_of_another_user(parent, start):
                break
        if any(_is_own(parent / marker, start) for marker in MARKERS):
            return parent
        if parent == home:
            break
    return start


def folders_upwards(folder: Path) -> list[Path]:
    """Return a folder and those above it, up to the root of its project."""
    start, root = _existing(folder), root_of(folder)
    return [one for one in (start, *start.parents) if one.is_relative_to(root)]


def is_of_another_user(path: Path, start: Path) -> bool:
    """Whether a path belongs neither to this user nor to the owner of the folder ``start``.

    The owner counts since a checkout often has another owner in a container.
    """
    return path.lstat().st_uid not in (os.geteuid(), start.stat().st_uid)


def require_inside(path: Path, root: Path, what: str) -> Path:
    """Return a path, which may be missing.

    Raises:
        UsageError: it leads out of ``root``, through ``..`` or a symbolic link, or is not usable.

    """
    try:
        whole = path.resolve()
        if whole.is_symlink():  # a loop of links, for which Python 3.13 raises nothing
            whole.stat()
        inside = whole.is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, or a null character
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{what} {str(path)!r} is not a usable path: {reason}") from error
    if not inside:
        raise UsageError(
            f"{what} {str(path)!r} leads out of the project {root}: use a path in it, without "
            "symbolic links to the outside"
        )
    return path


def require_file(path: Path, root: Path, what: str) -> Path:
    """Return the path of a file, which may be missing.

    Raises:
        UsageError: it leads out of ``root``, or is a device or a pipe, which may never end.

    """
    if require_inside(path, root, what).exists() and not path.is_file():
        raise UsageError(f"{what} {str(path)!r} is not a file: remove or rename it")
    return path


def require_files(folder: Path, what: str) -> Path:
    """Return a folder, which may be missing.

    Raises:
        UsageError: something in it leads out of its project, or is neither a file nor a folder.

    """
    root = root_of(folder)
    for parent, folders, files in os.walk(folder):
        for name in folders:
            require_inside(Path(parent, name), root, what)
        for name in files:
            require_file(Path(parent, name), root, what)
    return folder


def _existing(folder: Path) -> Path:
    whole = Path(os.path.realpath(folder))
    return next(one for one in (whole, *whole.parents) if one.is_dir())


def _is_own(path: Path, start: Path) -> bool:
    try:
        return not is_of_another_user(path, start)
    except OSError:
        return False


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except (OSError, RuntimeError):  # no home directory
        return None
