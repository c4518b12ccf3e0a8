"""A path or a word that is no spec: the content says which target it is, or what it is not.

Each adapter is asked whether it recognizes the file or the folder. If there is only one spec of an
adapter that runs no code, it is the target. Several specs, and specs that run code, are
suggestions: a path alone never runs code of a file. Commands and the pytest plugin call
:func:`spec_of` first, so that reports, baselines and journals have the whole spec.
"""

from __future__ import annotations

import contextlib
import difflib
import errno
import json
import os
import stat
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.errors import UnknownNameError, UsageError
from tokharness.escaping import shell
from tokharness.json_content import parse_json
from tokharness.regular_files import open_file, read_file, require_inside_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# The kind of a file that no adapter recognizes, seen from its first bytes, for an error.

HEAD = 1 << 16
MOST_JSON = 1 << 23
"""Most bytes of a JSON file that is parsed to say what it is."""
MOST_HEADER = 1 << 26
"""Bytes of the header of a .safetensors file."""

MAX_KEYS = 4
MAGIC = (
    (b"\x1f\x8b", "data that gzip has packed (unpack it first)"),
    (b"BZh", "data that bzip2 has packed (unpack it first)"),
    (b"\xfd7zXZ\0", "data that xz has packed (unpack it first)"),
    (b"(\xb5/\xfd", "data that Zstandard has packed (unpack it first)"),
    (b"PK\x03\x04", "a zip archive, such as a checkpoint of PyTorch"),
    *((bytes([0x80, protocol]), "a pickle of Python objects") for protocol in range(2, 6)),
)


def content_of(path: Path) -> str:
    """Return what a file looks like, such as "a Jupyter notebook". Raises OSError."""
    with open_file(path) as file:
        head = file.read(HEAD)
    for magic, words in MAGIC:
        if head.startswith(magic):
            return words
    if head[8:9] == b"{" and int.from_bytes(head[:8], "little") < MOST_HEADER:
        return "a .safetensors file, the weights of a model"
    text = head.decode("utf-8", "ignore").removeprefix("\ufeff").lstrip()
    if text[:1] in ("{", "["):
        return _json_content(path)
    if text[:15].lower().startswith(("<!doctype html", "<html")):
        return "a page of HTML, perhaps of a download that failed"
    if b"\0" in head or not _is_utf8(head):
        return "binary data of an unknown format"
    return "plain text"


def _is_utf8(head: bytes) -> bool:
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return len(head) == HEAD and error.start > HEAD - 4  # a character may be cut
    return True


def _json_content(path: Path) -> str:
    if path.stat().st_size > MOST_JSON:
        return "a large JSON file"
    try:
        value = parse_json(read_file(path, MOST_JSON))
    except json.JSONDecodeError as error:
        return f"JSON that is broken in line {error.lineno} ({error.msg})"
    except UnicodeDecodeError:
        return "JSON that is not UTF-8"
    except ValueError as error:
        return f"JSON that is not read, since {error}"
    if not isinstance(value, dict):
        return "a JSON list"
    if "nbformat" in value:
        return "a Jupyter notebook"
    named = ", ".join(map(repr, [*value][:MAX_KEYS])) or "none"
    more = f" and {len(value) - MAX_KEYS} more" if len(value) > MAX_KEYS else ""
    return f"a JSON object with the keys: {named}{more}"


# The error for a word that is neither a spec nor the path of something that exists.

OURS = "reference"
"""The scheme of our own implementation, which is suggested after the library with the same name."""
MAX_SHOWN = 5
CUTOFF = 0.5
"""Similarity of a name that is suggested, as for all unknown names."""
FILE_CUTOFF = 0.75
"""Similarity of a suggested file, and of a suggested name for a word that may be a file name."""
MODEL_CUTOFF = 0.85
"""Similarity of a name that is suggested for a word with hyphens, as names of models have them."""
MAX_SIMILAR = 1000
"""Most files of a folder that are looked at."""
HUB = "hf"
"""The scheme that takes OWNER/MODEL, the name of a model of the Hugging Face Hub."""


class UnknownTargetError(UnknownNameError):
    """A word is neither a spec nor the path of something that exists."""

    def __init__(self, message: str) -> None:
        super(UnknownNameError, self).__init__(message)


def unknown_target(word: str, before: str, names: Iterable[str]) -> UnknownNameError:
    """Return the error, which suggests specs.

    Args:
        word: The word that was given as a target.
        before: The command line before the word.
        names: Names of targets that are not specs.

    """
    scheme, colon, rest = word.partition(":")
    if colon and _is_factory(scheme, rest):
        hint = suggestions([f"python:{word}"], before)
        return UnknownTargetError(f"a target is SCHEME:REST, and {word!r} has no scheme: {hint}")
    if rest.startswith("//"):
        hint = "download the file, and name its path"
        return UnknownTargetError(f"{word!r} is an address, and a target is a file: {hint}")
    if colon or not word:
        return UnknownNameError("target scheme", scheme.partition("@")[0], plugins.adapters())
    hint = _hint(word, before, names)
    return UnknownTargetError(f"there is no file {word!r}, and no target has this name: {hint}")


def suggestions(specs: Sequence[str], before: str) -> str:
    """Return "try" with a command for each spec, at most five; ``before`` precedes each."""
    shown = [f"`{f'{before} {_quoted(spec)}'.strip()}`" for spec in specs[:MAX_SHOWN]]
    more = f" ({len(specs) - MAX_SHOWN} more)" if len(specs) > MAX_SHOWN else ""
    return f"try {_alternatives(shown)}{more}"


def _hint(word: str, before: str, names: Iterable[str]) -> str:
    if word.endswith(".py"):
        return suggestions([f"python:{word}:FACTORY"], before)
    known = dict(_known(names))
    if word in known:
        return suggestions(known[word], before)
    if files := _similar_files(word):
        return f"did you mean {_alternatives([repr(file) for file in files])}?"
    of_hub = suggestions([f"{HUB}:{word}"], before)
    model = f"check the path, or {of_hub} for a model of the Hugging Face Hub"
    if os.sep in word or "/" in word:
        return model if _may_be_of_hub(word) else "check the path"
    folded = {name.casefold(): specs for name, specs in known.items()}
    may_be_model = "-" in word.strip("-") and not Path(word).suffix[1:].isalpha()
    cutoff = MODEL_CUTOFF if may_be_model else FILE_CUTOFF if "." in word else CUTOFF
    close = difflib.get_close_matches(word.casefold(), folded, n=2, cutoff=cutoff)
    if close:
        specs = [repr(spec) for name in close for spec in folded[name]]
        return f"did you mean {_alternatives(specs)}?"
    if may_be_model:
        return model
    schemes = ", ".join(plugins.adapters())
    return f"a target is a path, or SCHEME:REST with one of the schemes {schemes}"


def _may_be_of_hub(word: str) -> bool:
    """Whether a missing path has the form OWNER/MODEL, and no folder is called OWNER."""
    owner, _, model = word.partition("/")
    is_name = owner not in ("", ".", "..", "~") and model and "/" not in model
    return bool(is_name) and not Path(owner).is_dir() and not Path(model).suffix[1:].isalpha()


def _similar_files(word: str) -> list[str]:
    """Return the files next to a missing path whose names are similar to its name."""
    folder, name = os.path.split(word)
    try:
        with os.scandir(folder or os.curdir) as entries:
            names = [entry.name for entry in islice(entries, MAX_SIMILAR)]
    except (OSError, ValueError):
        return []
    close = difflib.get_close_matches(name, names, n=2, cutoff=FILE_CUTOFF)
    return [os.path.join(folder, name) for name in close]  # noqa: PTH118 - as it was written


def _known(names: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield names of targets, schemes and names of adapters, each with the specs that have it."""
    of_name: dict[str, list[str]] = {name: [name] for name in names}
    adapters = plugins.adapters()
    for scheme in sorted(adapters, key=OURS.__eq__):
        of_name.setdefault(scheme, [scheme])
        adapter = adapters[scheme]
        for name in dict.fromkeys((*adapter.names(), *adapter.aliases())):
            of_name.setdefault(name, []).append(f"{scheme}:{name}")
    yield from of_name.items()


def _is_factory(where: str, name: str) -> bool:
    """Whether ``python:where:name`` is a spec: of a file, or of a module in a package."""
    parts = where.split(".")
    is_module = len(parts) > 1 and all(part.isidentifier() for part in parts)
    return name.isidentifier() and (where.endswith(".py") or is_module)


def _alternatives(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _quoted(spec: str) -> str:
    try:
        return shell(spec)
    except ValueError:  # no command line can have it
        return repr(spec)


MAX_FILES = 100
"""Most files of a folder that are examined."""
VOCABULARIES = (
    "name a vocabulary, such as tokenizer.json, or SCHEME:REST (see `tokharness list targets`)"
)
MAX_NAMED = 3
"""Most files of a folder that are named."""

MISSING = {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG}
KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


@dataclass(frozen=True, slots=True)
class Recognized:
    """The adapters' results for a path: specs of data, specs that run code, and descriptions."""

    data: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    described: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.data or self.code or self.described)


def spec_of(word: str, *, before: str = "", names: Iterable[str] = ()) -> str:
    """Return the spec of a target: the word itself, or the spec that loads the path.

    A word with a known scheme is never a path. If it names a release of a library, what the release
    needs is made here, which may take minutes.

    Args:
        word: A spec, or the path of a file or a folder.
        before: The command line before the word, for commands that an error suggests.
        names: Further names of targets, which an error may suggest.

    Raises:
        UsageError: the word is neither a spec nor a path, or it is unclear what loads the path.

    """
    if plugins.has_known_scheme(word):
        if (named := plugins.release_in(word)) is not None:
            plugins.adapter(word).prepare(named[1])  # not within the time that a target has to load
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
    """Ask the adapters about a path; describe a path that no adapter loads."""
    data: list[str] = []
    code: list[str] = []
    for scheme, adapter in plugins.adapters().items():
        specs = code if adapter.runs_code else data
        specs += (f"{scheme}:{rest}" for rest in adapter.recognize(path))
    words = [] if data or code else [describe(path) for describe in plugins.descriptions()]
    return Recognized(tuple(data), tuple(code), tuple(word for word in words if word))


def _recognize_files(folder: Path) -> Recognized:
    """Ask the adapters about each file of a folder that no adapter recognizes itself."""
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
    """Yield the readable files of a folder by name, at most one more than ``MAX_FILES``."""
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries if os.path.isfile(entry))  # noqa: PTH113
    readable = (folder / name for name in names if os.access(folder / name, os.R_OK))
    yield from (path for path, _ in zip(readable, range(MAX_FILES + 1), strict=False))


def _sentence(word: str, path: Path, found: Recognized, before: str) -> str:
    """Say why a path alone is not a target, and which spec to write."""
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
    """Describe the content of a path, in words that follow its name."""
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
