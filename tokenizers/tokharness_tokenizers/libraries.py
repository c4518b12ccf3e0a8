"""The libraries that adapters load: their versions, and the errors where they are not there."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from tokharness import extras
from tokharness.errors import NotInstalledError, TargetError

if TYPE_CHECKING:
    from pathlib import Path


def find_version(library: str) -> str | None:
    """Return the version of a library; None if it is not installed."""
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def versions(library: str) -> dict[str, str]:
    """Return the version of a library by its name; nothing if it is not installed."""
    found = find_version(library)
    return {} if found is None else {library: found}


def require(library: str, scheme: str) -> None:
    """Raise NotInstalledError without a library; the extra has the name of the scheme."""
    if find_version(library) is None:
        raise NotInstalledError(
            f"{scheme}: needs the library {library}, which is not installed: "
            f"{extras.what_installs(scheme)}"
        )


def spec(scheme: str, library: str, path: Path) -> str | None:
    """Return the spec of a target with a file; None if its library is not installed."""
    return None if find_version(library) is None else f"{scheme}:{path}"


def refusal(
    library: str, path: Path, error: BaseException, *formats: str, where: str = ""
) -> TargetError:
    """Return the error for a file that a library refuses, with the place if it is known.

    It is a failure of the library, except for a file that is none of its formats, as
    :func:`mistaken_format` says: that is a mistake of the user, even if our reference reads the
    file.
    """
    if mistake := mistaken_format(library, path, *formats):
        return mistake
    reason = " ".join(str(error).split())[:300] or "an assertion of its own"
    message = f"{library} refuses the file {path}: {reason}{where and f': {where}'}"
    return TargetError(message, failure=getattr(error, "failure", type(error).__name__))


def mistaken_format(library: str, path: Path, *formats: str) -> TargetError | None:
    """Return the error for a file that is empty, unreadable, or of a format that is not read.

    ``formats`` are names of modules of :mod:`.file_formats`. A file of no known format may be a
    damaged one of these.
    """
    from tokharness_tokenizers.file_formats import find
    from tokharness_tokenizers.vocabularies.file_heads import is_lfs_pointer

    if path.is_file() and not path.stat().st_size:
        return TargetError(f"the file {path} is empty: name another one")
    try:
        found = find(path) if path.exists() else None
        if path.is_file() and is_lfs_pointer(path):
            return TargetError(f"{path} is a pointer of Git LFS: fetch it with `git lfs pull`")
    except OSError as error:
        return TargetError(f"cannot read the file {path}: {error.strerror or error}")
    if found is None or found[0].__name__.rpartition(".")[2] in formats:
        return None
    use = found[0].library(found[1]) or f"reference:{path}"
    return TargetError(f"{path} is {found[0].WORDS}, which {library} does not read: use {use}")
