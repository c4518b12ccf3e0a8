"""Environments of Python that have one release of a library, each made once with venv and pip.

They are in the folder that :data:`VARIABLE` names, or in the user's cache. One is made in a folder
of another name that gets its own name when it is finished, under a lock: a command that is
interrupted leaves nothing that counts, and two commands at once make one environment. A file in it
says how many files and bytes it has. If there are fewer, or its Python is gone, it is made again.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
from typing import TYPE_CHECKING

from tokharness.errors import TargetError, UnknownNameError, UsageError
from tokharness.home import expand_user, user_cache
from tokharness_tokenizers.libraries import find_version

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokharness_tokenizers.programs import Release

__all__ = ["VARIABLE", "folder_of", "python_of", "require_release"]

VARIABLE = "TOKHARNESS_ENVIRONMENTS"
"""The environment variable with the path of the folder of all environments."""

RELEASE = re.compile(r"[0-9]+(\.[0-9]+)*((a|b|rc)[0-9]+)?(\.(post|dev)[0-9]+)*")
"""A release as PyPI has it (PEP 440), without an epoch and a local version."""

FINISHED = "finished.json"
PIP_SECONDS = 900.0


def require_release(release: Release, version: str) -> None:
    """Raise UsageError if a version is not written as the release of a library."""
    if not RELEASE.fullmatch(version):
        raise UsageError(
            f"{version!r} is not a release of {release.library}: write {release.scheme}@RELEASE:"
            f"REST with a release such as {find_version(release.library) or '1.0.0'}"
        )


def folder_of(release: Release, version: str) -> Path:
    """Return the folder of an environment, which need not be there."""
    named, cache = os.environ.get(VARIABLE, ""), user_cache()
    if not named and cache is None:
        raise UsageError(f"there is no home directory for environments: name one with {VARIABLE}")
    root = expand_user(named) if named or cache is None else cache / "environments"
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return root.absolute() / f"{release.library}-{version}-{python}"


def python_of(release: Release, version: str) -> Path:
    """Return the Python of an environment, which is made if it is not there or is damaged.

    Raises:
        UsageError: the version is not written as a release, or there is none of this name.
        TargetError: the environment cannot be made.

    """
    require_release(release, version)
    folder = folder_of(release, version)
    if not _is_whole(folder):
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with _locked(folder.with_name(f"{folder.name}.lock")):
                if not _is_whole(folder):  # else another command has just made it
                    _make(release, version, folder)
        except OSError as error:
            raise TargetError(
                f"cannot make the environment {folder}: {error.strerror or error}: set {VARIABLE} "
                "to a folder that can be written"
            ) from error
    return _python_in(folder)


def _python_in(folder: Path) -> Path:
    return folder / "bin" / "python"


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say(f"waits for another command, which makes {path.with_suffix('')}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _is_whole(folder: Path) -> bool:
    """Whether an environment is finished, has all its files, and its Python is there."""
    try:
        recorded = json.loads((folder / FINISHED).read_bytes())
    except (OSError, ValueError):
        return False
    return os.access(_python_in(folder), os.X_OK) and recorded == _content(folder)


def _content(folder: Path) -> dict[str, int]:
    """Return the number of the files of libraries, and their bytes, without compiled ones."""
    sizes = [
        os.stat(os.path.join(where, name)).st_size  # noqa: PTH116, PTH118 - they are thousands
        for where, _, names in os.walk(folder / "lib")
        for name in names
        if not name.endswith(".pyc")
    ]
    return {"files": len(sizes), "bytes": sum(sizes)}


def _make(release: Release, version: str, folder: Path) -> None:
    """Make an environment next to its folder, and give it its name when it is finished."""
    wanted = [argument.replace("RELEASE", version) for argument in release.pip]
    _say(f"makes, once, an environment with {release.library} {version} in {folder}")
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    try:
        for old in (unfinished, folder):
            shutil.rmtree(old, ignore_errors=True)
        has_pip = find_version("pip") is not None
        venv.create(unfinished, symlinks=True, with_pip=not has_pip)
        _install(release, version, wanted, unfinished, has_pip=has_pip)
        (unfinished / FINISHED).write_text(json.dumps(_content(unfinished)))
        unfinished.rename(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _install(
    release: Release, version: str, wanted: list[str], folder: Path, *, has_pip: bool
) -> None:
    """Install packages with our pip if we have it, else with that of the environment."""
    python = str(_python_in(folder))
    pip = [sys.executable, "-I", "-m", "pip", "--python", python]
    argv = [
        *(pip if has_pip else [python, "-I", "-m", "pip"]),
        *("install", "--quiet", "--disable-pip-version-check", "--no-input"),
        *("--only-binary", ":all:", *wanted),
    ]
    try:
        done = subprocess.run(
            argv,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PIP_SECONDS,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        written = done.stderr
    except subprocess.TimeoutExpired:
        written = f"it took more than {PIP_SECONDS:.0f} seconds"
    else:
        if done.returncode == 0:
            return
    raise _reason(release, version, written)


def _reason(release: Release, version: str, written: str) -> UsageError | TargetError:
    """Return the error for what pip has written."""
    library = release.library
    python = ".".join(map(str, sys.version_info[:2]))
    of_an_index = rf"(?<![\w.]){re.escape(version)} Requires-Python ([^\s;]+)"
    of_a_file = rf"Package '{re.escape(library)}' requires a different Python: \S+ not in '([^']+)'"
    for pattern in (of_an_index, of_a_file):
        if other := re.search(pattern, written):
            return TargetError(
                f"{library} {version} needs Python {other[1]}, and this is {python}: run "
                "tokharness with such a Python"
            )
    found = re.search(r"\(from versions: ([^)]*)\)", written)
    known = found[1].split(", ") if found else []
    is_own = f"requirement {library}=={version}" in written.replace("[sentencepiece]", "")
    if is_own and known not in ([], ["none"]) and version not in known:
        return UnknownNameError(f"release of {library} for Python {python}", version, known)
    errors = [line.strip() for line in written.splitlines() if "ERROR" in line]
    last = (errors or [written.strip() or "it says nothing"])[0].removeprefix("ERROR: ")[:300]
    command = shlex.join(["tokharness", "install", f"{release.scheme}@{version}"])
    return TargetError(
        f"cannot install {library} {version}: {last}: with a network, run `{command}`"
    )


def _say(sentence: str) -> None:
    sys.stderr.write(f"tokharness: {sentence}\n")
