"""Splitters and truncators of text, for the command ``tokharness chunk``; they have no ids.

``chunker:FILE.py:FACTORY``   a file, which may import modules from its folder, like a script
``chunker:MODULE:FACTORY``    a module that is installed or in the current directory
``chunker:PACKAGE:SPLITTER``  a splitter of a package, such as ``chunker:chonkie:token``

FACTORY is the name of a function or class that takes no arguments and returns an object with the
method ``split(text, limit, overlap=0)``, which returns a list of chunks: texts, or objects with
``text``, ``start`` and ``end``. These are optional: ``truncate(text, limit)``; ``count(text)``, the
length that the limit bounds; and the attributes ``loses`` (``"white space"``: between chunks it may
be lost), ``counts_with`` (the spec of the tokenizer that counts) and ``truncates`` (``"left"`` if
the end of a text is kept).

A package of PyPI has to be in the Python of tokharness, or in one whose path
TOKHARNESS_ENGINES_PYTHON names, and a package of npm where engines are (``engine:``).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.errors import TargetError, UnknownNameError
from tokharness_tokenizers.programs import HERE, known_chunkers
from tokharness_tokenizers.programs.starting import command_of, version_of_package

if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["GUARDED", "SCHEME", "alone", "load", "names", "versions_of"]

SCHEME = "chunker"
GUARDED = True


def load(rest: str) -> NoReturn:
    """Raise TargetError: a chunker is no tokenizer."""
    raise TargetError(f"chunker:{rest} has no ids: check it with tokharness chunk chunker:{rest}")


def alone(rest: str) -> tuple[str, ...]:
    """Return the arguments of the program that serves a chunker; raises TokharnessError."""
    where, _, word = rest.rpartition(":")
    known = known_chunkers()
    name = where or word
    if name in known:
        program = known[name]
        if word not in program.names:
            if not where:
                use = f"chunker:{name}:{program.names[0]}"
                raise TargetError(f"chunker:{name} names no splitter: write {use}")
            raise UnknownNameError(f"splitter of {name}", word, program.names)
        return (*command_of(program), "name", word)
    if not where or not word.isidentifier():
        raise TargetError(
            f"chunker:{rest} has no factory: write chunker:FILE.py:FACTORY, chunker:MODULE:FACTORY "
            f"or chunker:PACKAGE:SPLITTER, where PACKAGE is one of {', '.join(known)}"
        )
    if where.endswith(".py") and not Path(where).is_file():
        raise TargetError(f"there is no file {where}: check the path")
    program_of_objects = HERE / "chunkers" / "of_object.py"
    server = HERE / "json_lines.py"
    return (sys.executable, "-P", str(server), str(program_of_objects), where, word)


def names() -> tuple[str, ...]:
    """Return the names of the splitters of packages."""
    return tuple(f"{one.name}:{word}" for one in known_chunkers().values() for word in one.names)


def versions_of(rest: str) -> dict[str, str]:
    """Return the version of the package of a splitter; none if it is not installed."""
    program = known_chunkers().get(rest.partition(":")[0])
    version = "" if program is None else version_of_package(program)
    return {program.package: version} if program and version else {}
