"""The identity of a reference: a digest that is equal only if it gives the same ids for all texts.

Results that were equal to a reference need not be compared with it again, as long as the reference
is the same: the content of its files, the Unicode versions that it was set to, the target's
declared changes of texts, and the code. The digest covers all files that were opened while target
and reference were loaded, wherever they are; therefore it needs no list of side files, which could
be incomplete.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.resources
import os
import stat
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness import plugins

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tokharness.targets.subject import Subject

CODE = (".py", ".pyc", ".pyi", ".so", ".pyd")
"""Suffixes of files of code, which is identified by its version."""

_recorders: list[set[str]] = []
_is_hooked = False


@contextlib.contextmanager
def opened_files() -> Iterator[set[str]]:
    """Collect the paths of the files that Python code opens in this block, except files of code."""
    global _is_hooked  # noqa: PLW0603 - a hook cannot be removed
    if not _is_hooked:
        sys.addaudithook(_record)
        _is_hooked = True
    paths: set[str] = set()
    _recorders.append(paths)
    try:
        yield paths
    finally:
        _recorders.remove(paths)


def _record(event: str, arguments: tuple[Any, ...]) -> None:
    if _recorders and event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        path = os.path.abspath(os.fsdecode(arguments[0]))  # noqa: PTH100 - called for each file
        if not path.endswith(CODE):
            for paths in _recorders:
                paths.add(path)


def reference_digest(subject: Subject, opened: Collection[str]) -> str:
    """Return a digest of the reference, from the files that were opened to load it; "" for none.

    There is no digest if the reference's ids depend on more than the files that Python code has
    opened: for libraries and programs, and if the target normalizes the compared texts itself.
    """
    reference = subject.reference
    if reference is None or not plugins.adapter(reference.spec).plain_files:
        return ""
    if subject.target.normalizer is not None and reference.normalizer is None:
        return ""
    try:
        contents = sorted(filter(None, map(_digest_of_file, opened)))
    except OSError:
        return ""
    settings = [
        subject.unicode_version,
        subject.normalizer_version,
        subject.case_version,
        sorted(subject.stage_versions.items()),
        sorted(subject.target.stage_versions.items()),
        subject.target.normalizer,
        reference.unicode_version,
        sorted(reference.stage_versions.items()),
        sorted(reference.special_tokens.items()),
        sorted(reference.added_tokens.items()),
        contents,
    ]
    return hashlib.sha256(repr(settings).encode("utf-8", "backslashreplace")).hexdigest()[:32]


def comparison_key(digest: str) -> str:
    """Return 16 hex digits for the digest of a reference and for our code; "" for none.

    It covers the code of all packages with a reference, so that every change of this code counts,
    even without a new version.
    """
    return digest and hashlib.sha256(f"{digest} {_digest_of_code()}".encode()).hexdigest()[:16]


@functools.cache
def _digest_of_code() -> str:
    """Return a digest of our code, of the versions of its dependencies and of Python's tables."""
    adapters = (adapter.module for adapter in plugins.adapters().values() if adapter.plain_files)
    packages = sorted({"tokharness", *(module.partition(".")[0] for module in adapters)})
    whole = hashlib.sha256(repr([sys.version_info[:2], _versions()]).encode())
    for package in packages:
        root = importlib.resources.files(package)
        for path in sorted(Path(str(root)).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def _versions() -> dict[str, str]:
    names = (adapter.versions() for adapter in plugins.adapters().values() if adapter.plain_files)
    found = {"unicodedata2": version("unicodedata2")}
    for versions in names:
        found |= versions
    return found


def _digest_of_file(path: str) -> str:
    """Return the name and digest of a file; "" for a file without content, such as in /proc."""
    try:
        status = os.stat(path)  # noqa: PTH116
    except FileNotFoundError:  # an optional side file
        return ""
    if not stat.S_ISREG(status.st_mode) or not status.st_size:
        return ""
    with open(path, "rb") as file:  # noqa: PTH123
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return f"{os.path.basename(path)} {digest}"  # noqa: PTH119
