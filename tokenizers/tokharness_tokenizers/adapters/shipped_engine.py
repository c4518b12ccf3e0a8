"""Engines in other languages, served by programs that tokharness includes.

``engine:llama.cpp:FILE``   llama.cpp with the vocabulary of a GGUF file. It needs Node.js 20 and
                            the package node-llama-cpp of npm, installed globally (``npm install
                            --global node-llama-cpp``) or in the folder ``node_modules`` that
                            TOKHARNESS_NODE_MODULES names

What a file declares to change in a text, and the bytes of its tokens, are what our reference reads
from it.

Plain text is tokenized without ``parse_special``, in which control tokens are text;
``encode_special`` reads them. Neither adds tokens for the start and the end of a text. Decoding
keeps special tokens.

The automatic reference is ``reference`` with the same file.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.errors import TargetError, UnknownNameError
from tokharness.targets.processes.remote import Remote
from tokharness_tokenizers import libraries
from tokharness_tokenizers.file_errors import FILE_ERRORS, sentence_of
from tokharness_tokenizers.programs import ENGINES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.model import Description

__all__ = [
    "GUARDED",
    "RUNS_CODE",
    "SCHEME",
    "VARIABLE",
    "describe",
    "find_node",
    "folder_of_package",
    "llama_cpp_is_installed",
    "load",
    "names",
    "recognize",
    "reference",
]


# Find a package of npm: in the folder of a variable, or among the global ones.
#
# The working directory is not looked at: its code would run with a file that is mere data.

VARIABLE = "TOKHARNESS_NODE_MODULES"
"""The environment variable with the path of a folder ``node_modules``; no other is looked at."""

NPM_SECONDS = 10.0


def find_node() -> str | None:
    """Return the path of Node.js; None if it is not installed."""
    return _find_program("node")


def _find_program(name: str) -> str | None:
    """Return the path of a program; parts of PATH that depend on the working directory are none."""
    parts = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, parts)))


def folder_of_package(package: str) -> Path | None:
    """Return the folder ``node_modules`` that has a package; None if there is none.

    It is that of :data:`VARIABLE` if this is set, else the global one.
    """
    return next((one for one in _folders() if (one / package / "package.json").is_file()), None)


def _folders() -> Iterator[Path]:
    if folder := os.environ.get(VARIABLE):
        yield Path(folder).absolute()
        return
    if (folder := _global_folder()) is not None:
        yield Path(folder)


@functools.cache
def _global_folder() -> str | None:
    npm = _find_program("npm")
    if npm is None:
        return None
    try:
        done = subprocess.run(
            [npm, "root", "--global"],
            capture_output=True,
            text=True,
            timeout=NPM_SECONDS,
            check=True,
            cwd=Path.home(),  # the working directory may have settings of npm
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None


SCHEME = "engine"
GUARDED = True
RUNS_CODE = False


def load(rest: str) -> Remote:
    """Start the program of an engine; raises TargetError or UnknownNameError."""
    name, _, file = rest.partition(":")
    if not name:
        raise TargetError(f"engine: names no engine: write engine:{names()[0]}:FILE")
    if name not in ENGINES:
        raise UnknownNameError("engine", name, names())
    if not file:
        raise TargetError(f"engine:{name} has no file: write engine:{name}:FILE")
    engine, node = ENGINES[name], find_node()
    if node is None:
        raise TargetError(
            f"engine:{name} needs Node.js, which is not installed: install Node.js 20"
        )
    folder = folder_of_package(engine.package)
    if folder is None:
        raise TargetError(
            f"engine:{name} needs the package {engine.package}, which is not installed: npm "
            f"install --global {engine.package}, or set {VARIABLE} to a folder node_modules that "
            "has it"
        )
    path = Path(file).expanduser()
    if not path.is_file():
        raise TargetError(f"there is no file {path}: check the path")
    try:
        remote = Remote([node, str(engine.path), str(path), str(folder)])
    except TargetError as error:
        raise _refusal(name, path, error) from error
    return _declaring(remote, path)


def _refusal(name: str, path: Path, error: TargetError) -> TargetError:
    """Return the error for a file that an engine refuses; our reader may say more about it."""
    from tokharness_tokenizers.file_formats import find

    if mistake := libraries.mistaken_format(name, path, ENGINES[name].format):
        return mistake
    if (found := find(path)) is not None:
        try:
            found[0].load(path)
        except FILE_ERRORS as reason:
            return TargetError(f"{name} refuses the file {sentence_of(path, reason)}")
        return error  # it names the file
    return libraries.refusal(name, path, error, ENGINES[name].format)


def _declaring(remote: Remote, path: Path) -> Remote:
    """Add what a file declares to change in a text, as our reference reads it."""
    from tokharness_tokenizers import file_formats

    try:
        found = file_formats.find(path)
        declared = None if found is None else found[0].load(path)
    except FILE_ERRORS:
        return remote  # the engine reads a file that we do not
    if declared is None:
        return remote
    remote.algorithm = declared.algorithm
    remote.bytes_inside = declared.bytes_inside  # type: ignore[attr-defined] # as one of its ops
    if declared.normalizer is not None:
        remote.normalizer = declared.normalizer
        remote.normalize = declared.normalize  # type: ignore[attr-defined] # as one of its ops
    return remote


def reference(rest: str) -> str | None:
    """Return the spec of our reference with the same file."""
    return f"reference:{rest.partition(':')[2]}"


def describe(rest: str) -> Description | None:
    """Return what the file has; raises VocabularyError if it is damaged."""
    from tokharness_tokenizers import descriptions

    name, _, file = rest.partition(":")
    return (
        descriptions.describe_target(Path(file), ENGINES[name].format) if name in ENGINES else None
    )


def names() -> tuple[str, ...]:
    """Return the names of the engines, which a file follows."""
    return tuple(ENGINES)


def recognize(path: Path) -> list[str]:
    """Return the engines that are installed and read a file."""
    from tokharness_tokenizers.file_formats import is_a

    fitting = [name for name, engine in ENGINES.items() if is_a(engine.format, path)]
    return [f"{name}:{path}" for name in fitting if _is_installed(name)]


def llama_cpp_is_installed() -> bool:
    """Whether ``engine:llama.cpp:FILE`` can be loaded: Node.js and node-llama-cpp are there."""
    return _is_installed("llama.cpp")


def _is_installed(name: str) -> bool:

    return find_node() is not None and folder_of_package(ENGINES[name].package) is not None
