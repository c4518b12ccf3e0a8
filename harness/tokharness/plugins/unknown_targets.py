"""The error for a word that is neither a spec nor the path of something that exists."""

from __future__ import annotations

import difflib
import os
from itertools import islice
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.errors import UnknownNameError
from tokharness.escaping import shell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["UnknownTargetError", "suggestions", "unknown_target"]

OURS = "reference"
"""The scheme of our own implementation, which is suggested after the library with the same name."""
MAX_SHOWN = 5
CUTOFF = 0.5
"""Similarity of a name that is suggested, as for all unknown names."""
FILE_CUTOFF = 0.75
"""That of a file, and of a name for a word that may be one, since it has a full stop."""
MAX_FILES = 1000
"""Files of a folder that are looked at."""


class UnknownTargetError(UnknownNameError):
    """A word is neither a spec nor the path of something that exists."""

    def __init__(self, message: str) -> None:
        super(UnknownNameError, self).__init__(message)


def unknown_target(word: str, before: str, names: Iterable[str]) -> UnknownNameError:
    """Return the error, which suggests specs.

    Args:
        word: What was given as a target.
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
        return UnknownNameError("target scheme", scheme, plugins.adapters())
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
    if os.sep in word or "/" in word:
        return "check the path"
    folded = {name.casefold(): specs for name, specs in known.items()}
    cutoff = FILE_CUTOFF if "." in word else CUTOFF
    close = difflib.get_close_matches(word.casefold(), folded, n=2, cutoff=cutoff)
    if close:
        specs = [repr(spec) for name in close for spec in folded[name]]
        return f"did you mean {_alternatives(specs)}?"
    schemes = ", ".join(plugins.adapters())
    return f"a target is a path, or SCHEME:REST with one of the schemes {schemes}"


def _similar_files(word: str) -> list[str]:
    """Return the files next to a path that is not there, if their names are much like its own."""
    folder, name = os.path.split(word)
    try:
        with os.scandir(folder or os.curdir) as entries:
            names = [entry.name for entry in islice(entries, MAX_FILES)]
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
    """Whether ``where:name`` is what follows ``python:``: of a file or a module in a package."""
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
