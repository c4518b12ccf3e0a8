"""Programs that serve tokenizers in a process of their own: the table of them.

A file of ``engines`` serves an engine, and one of ``releases`` another release of a library.
Comments in its first lines say what it is, such as::

    # engine: tokie
    # package: tokie
    # reads: tokenizer_json

``reads`` are modules of :mod:`..file_formats`, ``names`` the vocabularies that the package carries,
and ``published`` those of tiktoken whose ranks it reads by their name. A file that is there is an
engine: nothing else lists it. A file of ``chunkers`` serves the splitters of a package, whose names
are its ``names``, or an object of the user. ``json_lines.py`` and ``json_lines.mjs`` run the files
of Python and of Node.js: a file has ``load``, which returns a tokenizer. :mod:`.starting` starts
them. ``plain_object.py`` serves an object of Python that is to see nothing of ours.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Engine", "Release", "known_chunkers", "known_engines", "known_releases"]

HERE = Path(__file__).parent
COMMENTS = {".py": "# ", ".mjs": "// "}
MOST_LINES = 12
"""Lines of a file that say what it is."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A program that serves a package of npm or of PyPI.

    Attributes:
        name: The name of the engine.
        path: The path of the program.
        package: The package that it needs.
        formats: The modules of :mod:`..file_formats` of the files that it reads.
        names: The vocabularies that the package carries.
        published: The vocabularies of tiktoken whose ranks it reads by their name.

    """

    name: str
    path: Path
    package: str
    formats: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    published: tuple[str, ...] = ()

    @property
    def is_python(self) -> bool:
        """Whether it is a program of Python, with a package of PyPI."""
        return self.path.suffix == ".py"


@dataclass(frozen=True, slots=True)
class Release:
    """A program that serves any release of a library.

    Attributes:
        scheme: The scheme of its targets.
        path: The path of the program.
        library: The package of PyPI.
        pip: The arguments of ``pip install``, with ``RELEASE`` in the place of the release.

    """

    scheme: str
    path: Path
    library: str
    pip: tuple[str, ...]


@functools.cache
def known_engines() -> Mapping[str, Engine]:
    """Return the engines by name, in alphabetical order."""
    return _programs("engines", "engine")


@functools.cache
def known_chunkers() -> Mapping[str, Engine]:
    """Return the programs that serve the splitters of a package, by its name."""
    return _programs("chunkers", "chunker")


def _programs(folder: str, kind: str) -> Mapping[str, Engine]:
    rows = (
        Engine(
            head[kind],
            path,
            head["package"],
            tuple(head.get("reads", "").split()),
            tuple(head.get("names", "").split()),
            tuple(head.get("published", "").split()),
        )
        for path, head in _heads(folder)
        if kind in head
    )
    return {one.name: one for one in sorted(rows, key=lambda one: one.name)}


@functools.cache
def known_releases() -> Mapping[str, Release]:
    """Return the programs for releases of libraries by scheme."""
    return {
        head["scheme"]: Release(head["scheme"], path, head["library"], (*head["pip"].split(),))
        for path, head in _heads("releases")
    }


def _heads(folder: str) -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield the programs of a folder, with what their first lines say."""
    for path in sorted((HERE / folder).iterdir()):
        if path.suffix in COMMENTS and not path.name.startswith("__"):
            mark = COMMENTS[path.suffix]
            with path.open(encoding="utf-8") as file:
                lines = list(itertools.islice(file, MOST_LINES))
            rows = (line[len(mark) :].partition(": ") for line in lines if line.startswith(mark))
            yield path, {key: value.strip() for key, colon, value in rows if colon}
