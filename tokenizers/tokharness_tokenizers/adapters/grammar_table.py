"""The tables of tokens of grammar libraries, which constrain what a model writes.

``grammar:NAME:FILE``   what the library NAME takes the tokens of a file for

``llguidance`` reads a ``tokenizer.json``, and a ``.tiktoken`` file with its side file; ``xgrammar``
and ``outlines-core`` (PyPI: outlines_core) read a ``tokenizer.json``. A library masks the tokens
that a grammar does not allow, by the bytes that it derives for each id: a wrong byte there forces a
model into text that it would not write, or forbids what the grammar allows.

A target shows the bytes of each token and the ids of special tokens, and nothing else: it encodes
and decodes no text, so that checks of texts are skipped. ``eos_token`` of a
``tokenizer_config.json`` in the folder of the file is the token that ends a text.

A library needs its package in the Python of tokharness, or in one whose path
TOKHARNESS_ENGINES_PYTHON names.

The automatic reference is ``reference`` with the same file.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from tokharness.errors import TargetError, UnknownNameError
from tokharness.home import expand_user
from tokharness_tokenizers import libraries
from tokharness_tokenizers.file_errors import FILE_ERRORS
from tokharness_tokenizers.programs import known_grammars
from tokharness_tokenizers.programs.starting import require, start_engine, version_of_package

if TYPE_CHECKING:
    from tokharness.model import Description
    from tokharness.targets.processes.remote import Remote
    from tokharness_tokenizers.programs import Engine

__all__ = [
    "GUARDED",
    "RUNS_CODE",
    "SCHEME",
    "describe",
    "load",
    "names",
    "reference",
    "versions_of",
]

SCHEME = "grammar"
GUARDED = True
RUNS_CODE = False


def load(rest: str) -> Remote:
    """Start the program of a grammar library; raises TargetError or UnknownNameError."""
    library, name = _parse(rest)
    require(library)
    path = expand_user(name)
    if not path.exists():
        raise TargetError(f"there is no file {path}: check the path")
    if mistake := libraries.mistaken_format(library.name, path, *library.formats):
        raise mistake
    try:
        remote = start_engine(library, ["file", str(path.absolute()), *_end_of_text(path)])
    except TargetError as error:
        if not error.failure:
            raise  # the library was not asked
        raise libraries.refusal(library.name, path, error, *library.formats) from error
    for method in ("encode", "decode"):
        remote.add_here(method, _refuse)
    return remote


def _refuse(_: Any) -> NoReturn:
    raise NotImplementedError("a grammar library shows its tokens alone, and encodes no text")


def _parse(rest: str) -> tuple[Engine, str]:
    """Return the library and the file after it; raises TokharnessError."""
    name, _, path = rest.partition(":")
    known = known_grammars()
    if not name:
        raise TargetError("grammar: names no library: write grammar:xgrammar:FILE")
    if name not in known:
        raise UnknownNameError("grammar library", name, known)
    if not path:
        raise TargetError(f"grammar:{name} has no file: write grammar:{name}:FILE")
    return known[name], path


def _end_of_text(path: Path) -> list[str]:
    """Return the id of the token that ends a text, if a file next to the tokenizer names it."""
    from tokharness_tokenizers.file_formats import find
    from tokharness_tokenizers.reference.token_files.stages import read_config

    try:
        token = read_config(path).token("eos_token", None)
        found = None if token is None else find(path)
        read = None if found is None else found[0].load(found[1])
    except FILE_ERRORS:
        return []
    special = getattr(read, "special_tokens", {})
    return [str(special[token["content"]])] if token and token["content"] in special else []


def reference(rest: str) -> str:
    """Return the spec of our reference with the same file."""
    return f"reference:{_parse(rest)[1]}"


def describe(rest: str) -> Description | None:
    """Return what the file has; raises VocabularyError if it is damaged."""
    from tokharness_tokenizers import descriptions

    return descriptions.describe_target(Path(_parse(rest)[1]), None)


def names() -> tuple[str, ...]:
    """Return the names of the libraries, which a file follows."""
    return tuple(known_grammars())


def versions_of(rest: str) -> dict[str, str]:
    """Return the version of the package of a library; none if it is not installed."""
    library = known_grammars().get(rest.partition(":")[0])
    version = "" if library is None else version_of_package(library)
    return {library.package: version} if library and version else {}
