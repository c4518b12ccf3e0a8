"""A target that is named by a path alone becomes a spec: the content says which one.

Each adapter is asked whether it recognizes the file or the folder. One spec of an adapter that runs
no code is the target. Several specs, and those that run code, are suggestions: a path alone never
runs what a file has. Commands and the pytest plugin call :func:`spec_of` first, so that reports,
baselines and journals have the whole spec.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.errors import UsageError
from tokharness.plugins.file_content import content_of
from tokharness.plugins.unknown_targets import suggestions, unknown_target
from tokharness.regular_files import require_inside_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["spec_of"]

MAX_FILES = 100
"""Files of a folder that are examined."""
VOCABULARIES = (
    "name a vocabulary, such as tokenizer.json, or SCHEME:REST (see `tokharness list targets`)"
)
MAX_NAMED = 3
"""Files of a folder that are named."""

MISSING = {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG}
KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


@dataclass(frozen=True, slots=True)
class Recognized:
    """What adapters say about a path: specs of data, specs that run code, and descriptions."""

    data: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    described: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.data or self.code or self.described)


def spec_of(word: str, *, before: str = "", names: Iterable[str] = ()) -> str:
    """Return the spec of a target: the word itself, or the spec that loads the path that it is.

    A word with a known scheme is never a path.

    Args:
        word: A spec, or the path of a file or a folder.
        before: The command line before the word, for commands that an error suggests.
        names: Further names of targets, which an error may suggest.

    Raises:
        UsageError: the word is neither, or it is unclear what loads the path.

    """
    if word.partition(":")[0] in plugins.adapters():
        return word
    if not _exists(word):
        raise unknown_target(word, before, names)
    path = Path(os.path.abspath(word) if word.startswith("~") else word)  # noqa: PTH100 - links stay
    found = _recognize(path) or (_recognize_files(path) if path.is_dir() else Recognized())
    if len(found.data) == 1:
        return found.data[0]
    raise UsageError(_sentence(word, path, found, before))


def _exists(word: str) -> bool:
    """Whether a path exists; raises UsageError if it is not a readable file or folder."""
    if not word:
        return False
    try:
        mode = Path(word).stat().st_mode
    except OSError as error:
        if error.errno in MISSING:
            return False
        raise UsageError(f"cannot read {word!r}: {error.strerror}") from error
    except ValueError:  # a NUL or a lone surrogate
        return False
    if kind := KINDS.get(stat.S_IFMT(mode)):
        raise UsageError(f"{word!r} is {kind}, not a file or a folder: name one")
    if not os.access(word, os.R_OK | (os.X_OK if stat.S_ISDIR(mode) else 0)):
        raise UsageError(f"cannot read {word!r}: {os.strerror(errno.EACCES)}")
    return True


def _recognize(path: Path) -> Recognized:
    """Ask the adapters for one path; what no adapter loads is described."""
    data: list[str] = []
    code: list[str] = []
    for scheme, adapter in plugins.adapters().items():
        specs = code if adapter.runs_code else data
        specs += (f"{scheme}:{rest}" for rest in adapter.recognize(path))
    words = [] if data or code else [describe(path) for describe in plugins.descriptions()]
    return Recognized(tuple(data), tuple(code), tuple(word for word in words if word))


def _recognize_files(folder: Path) -> Recognized:
    """Ask the adapters for each file of a folder that is not recognized itself."""
    files = list(_files(folder))
    if len(files) > MAX_FILES:
        raise UsageError(f"the folder {str(folder)!r} has more than {MAX_FILES} files: name one")
    found = [(file.name, _recognize(file)) for file in files]
    try:
        require_inside_folder(folder, [folder / name for name, one in found if one.data])
    except OSError as error:
        raise UsageError(f"cannot read the folder {str(folder)!r}: {error.strerror}") from error
    return Recognized(
        tuple(dict.fromkeys(spec for _, one in found for spec in one.data)),
        tuple(dict.fromkeys(spec for _, one in found for spec in one.code)),
        tuple(f"{word} ({name})" for name, one in found for word in one.described),
    )


def _files(folder: Path) -> Iterator[Path]:
    """Yield the readable files of a folder by name, at most one more than are examined."""
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries if os.path.isfile(entry))  # noqa: PTH113
    readable = (folder / name for name in names if os.access(folder / name, os.R_OK))
    yield from (path for path, _ in zip(readable, range(MAX_FILES + 1), strict=False))


def _sentence(word: str, path: Path, found: Recognized, before: str) -> str:
    """Say why a path is no target by itself, and what to write."""
    what, verb = (f"the folder {word!r}", "has") if path.is_dir() else (repr(word), "is")
    if found.data:
        return f"{what} can be loaded in several ways: {suggestions(found.data, before)}"
    hint = f": {suggestions(found.code, before)}" if found.code else ""
    if found.described:
        described = ", ".join(found.described)
        if not hint and (near := _near(path)):
            hint = f": {suggestions(near, before)}"
        return f"{what} {verb} {described}, which no installed adapter loads{hint}"
    if found.code:
        return f"{what} {verb} code, which a path alone does not run{hint}"
    if path.is_file() and not path.stat().st_size:
        return f"the file {word!r} is empty: name another one"
    near = _near(path)
    hint = suggestions(near, before) if near else VOCABULARIES
    return f"no adapter recognizes {what}, {_seen(path)}: {hint}"


def _seen(path: Path) -> str:
    """Return what a path has, in words that follow its name."""
    if path.is_file():
        return f"which is {content_of(path)}"
    names = [repr(file.name) for file in _files(path)]
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return f"which has {', '.join(names[:MAX_NAMED])}{more}" if names else "which has no file"


def _near(path: Path) -> list[str]:
    """Return the specs of data next to a file, or in the folders of a folder."""
    is_near = Path.is_dir if path.is_dir() else Path.is_file
    with os.scandir(path if path.is_dir() else path.parent) as entries:
        near = [Path(entry.path) for entry in islice(entries, MAX_FILES)]
    readable = [one for one in sorted(near) if is_near(one) and os.access(one, os.R_OK)]
    found: dict[str, None] = {}
    for one in readable:
        with contextlib.suppress(UsageError):  # it cannot be read
            found |= dict.fromkeys(_recognize(one).data)
    return list(found)
