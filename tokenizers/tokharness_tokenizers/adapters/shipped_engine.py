"""Engines in other languages, and other packages, served by programs that tokharness includes.

``engine:NAME:FILE``   an engine with a vocabulary file
``engine:NAME:WORD``   an engine with a vocabulary that its package carries, such as
                       ``engine:js-tiktoken:cl100k_base``

``tokharness list targets`` names the engines, and the table in ``docs/targets.md`` has the package
of each and what it reads. An engine with vocabularies that are not OpenAI's has no automatic
reference for them.

An engine of npm needs Node.js 20 and its package, installed globally (``npm install --global
PACKAGE``) or in the folder ``node_modules`` that TOKHARNESS_NODE_MODULES names. An engine of PyPI
needs its package in the Python of tokharness, or in one whose path
TOKHARNESS_ENGINES_PYTHON names.

What a file declares to change in a text, and the bytes of its tokens, are what our reference reads
from it.

Plain text is tokenized with the setting in which special tokens are text, if the engine has one;
``encode_special`` reads them. Neither adds tokens for the start and the end of a text. Decoding
keeps special tokens.

The automatic reference is ``reference`` with the same file, or with the published vocabulary of the
same name.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetError, UnknownNameError
from tokharness.home import expand_user
from tokharness.regular_files import open_file
from tokharness.targets.processes.limits import CURRENT_LIMITS
from tokharness_tokenizers import libraries
from tokharness_tokenizers.file_errors import FILE_ERRORS, sentence_of
from tokharness_tokenizers.programs import known_engines
from tokharness_tokenizers.programs.starting import (
    is_installed,
    require,
    start_engine,
    version_of_package,
)
from tokharness_tokenizers.releases import declare

if TYPE_CHECKING:
    from tokharness.model import Description
    from tokharness.targets.processes.remote import Remote
    from tokharness_tokenizers.programs import Engine

__all__ = [
    "GUARDED",
    "RUNS_CODE",
    "SCHEME",
    "also_reads",
    "describe",
    "llama_cpp_is_installed",
    "load",
    "names",
    "recognize",
    "reference",
    "versions_of",
]

BRIEF_SECONDS = 6.0
"""Seconds that an engine has to load a GGUF file that is damaged: counts that lie make it run or
wait without an end. A file of a kind that only our reader does not know has all its time."""

SCHEME = "engine"
GUARDED = True
RUNS_CODE = False


def load(rest: str) -> Remote:
    """Start the program of an engine; raises TargetError or UnknownNameError."""
    engine, vocabulary = _parse(rest)
    require(engine)
    if vocabulary in engine.names:
        return start_engine(engine, ["name", vocabulary])
    if vocabulary in engine.published:
        return start_engine(engine, ["published", vocabulary, _ranks_of(vocabulary)])
    if not engine.formats:
        raise UnknownNameError(f"vocabulary of {engine.name}", vocabulary, engine.names)
    path = expand_user(vocabulary)
    if not path.exists():
        raise _missing(engine, path)
    if mistake := libraries.mistaken_format(engine.name, path, *engine.formats):
        raise mistake
    declared, reason = _read(path)
    limits = CURRENT_LIMITS.get()
    is_damaged = reason is not None and _is_damaged(path)
    if is_damaged:
        limits = replace(limits, load=min(limits.load, BRIEF_SECONDS))
    token = CURRENT_LIMITS.set(limits)
    try:
        remote = start_engine(engine, ["file", str(path.absolute())])
    except TargetError as error:
        if not error.failure and not is_damaged:
            raise  # the engine was not asked, or its time ended
        raise _refusal(engine, path, error, reason) from error
    finally:
        CURRENT_LIMITS.reset(token)
    return remote if declared is None else declare(remote, declared)


def _parse(rest: str) -> tuple[Engine, str]:
    """Return the engine, and the file or the name after it; raises TokharnessError."""
    name, _, vocabulary = rest.partition(":")
    known = known_engines()
    if not name:
        raise TargetError("engine: names no engine: write engine:llama.cpp:FILE")
    if name not in known:
        raise UnknownNameError("engine", name, known)
    if not vocabulary:
        words = (*(["FILE"] if known[name].formats else []), *_words_of(known[name]))
        use = " or ".join(f"engine:{name}:{word}" for word in words[:2])
        raise TargetError(f"engine:{name} has no file: write {use}")
    return known[name], vocabulary


def _ranks_of(name: str) -> str:
    """Return the path of published ranks in tiktoken's cache; raises VocabularyError."""
    from tokharness_tokenizers.vocabularies import locate

    published = locate.PUBLISHED[name]
    locate.read_published(published)
    return str(published.cache_path.absolute())


def _missing(engine: Engine, path: Path) -> TargetError:
    known = _words_of(engine)
    if known and "/" not in str(path) and not path.suffix:
        error = UnknownNameError(f"vocabulary of {engine.name}", str(path), known)
        return TargetError(str(error))
    return TargetError(f"there is no file {path}: check the path")


def _refusal(
    engine: Engine, path: Path, error: TargetError, reason: BaseException | None
) -> TargetError:
    """Return the error for a file that an engine refuses; our reader may say more about it."""
    if reason is not None:
        does = "refuses" if error.failure else "does not load"
        return TargetError(f"{engine.name} {does} the file {sentence_of(path, reason)}")
    message = f"{engine.name} refuses the file {path}: {error}"
    return TargetError(message, failure=error.failure)


def _is_damaged(path: Path) -> bool:
    """Whether a file begins as GGUF does, and its metadata cannot be read."""
    from tokharness_tokenizers.reference.gguf import metadata

    try:
        with open_file(path) as file:
            is_gguf = file.read(len(metadata.MAGIC)) == metadata.MAGIC
        if is_gguf:
            metadata.load(path)
    except FILE_ERRORS:
        return True
    return False


def _read(path: Path) -> tuple[Any, BaseException | None]:
    """Return what our reference reads from a file, or why it does not; an engine still may."""
    from tokharness_tokenizers import file_formats

    try:
        found = file_formats.find(path)
        return (None if found is None else found[0].load(found[1])), None
    except FILE_ERRORS as reason:
        return None, reason


def reference(rest: str) -> str | None:
    """Return the spec of our reference with the same file, or the same published vocabulary."""
    from tokharness_tokenizers.vocabularies import locate

    engine, vocabulary = _parse(rest)
    if vocabulary in _words_of(engine) and vocabulary not in locate.PUBLISHED:
        return None
    return f"reference:{vocabulary}"


def describe(rest: str) -> Description | None:
    """Return what the file has; raises VocabularyError if it is damaged."""
    from tokharness_tokenizers import descriptions

    engine, vocabulary = _parse(rest)
    if vocabulary in _words_of(engine):
        return None
    form = engine.formats[0] if len(engine.formats) == 1 else None
    return descriptions.describe_target(Path(vocabulary), form)


def _words_of(engine: Engine) -> tuple[str, ...]:
    """Return the names of vocabularies that an engine has without a file of the user."""
    return (*engine.names, *engine.published)


def _words_after(engine: Engine) -> list[str]:
    named = [f"{engine.name}:{word}" for word in _words_of(engine)]
    return [engine.name, *named] if engine.formats else named


def names() -> tuple[str, ...]:
    """Return the names of the engines, which a file follows, and of what their packages carry."""
    return tuple(word for engine in known_engines().values() for word in _words_after(engine))


GGUF = "gguf_file"
"""The format of which the library is an engine: a path alone is a target of it."""


def recognize(path: Path) -> list[str]:
    """Return the engines that are installed and read a GGUF file, which no library reads."""
    return _readers(path) if _format_of(path) == GGUF else []


def also_reads(path: Path) -> list[str]:
    """Return the engines that are installed and read a file that a library reads, too."""
    return [] if _format_of(path) == GGUF else _readers(path)


def _readers(path: Path) -> list[str]:
    form = _format_of(path)
    fitting = (one for one in known_engines().values() if form in one.formats)
    return [f"{one.name}:{path}" for one in fitting if is_installed(one)]


def _format_of(path: Path) -> str:
    """Return the kind of a file, a module of ``file_formats``; "" for a folder or another file."""
    from tokharness_tokenizers.file_formats import find

    found = find(path) if path.is_file() else None
    return found[0].__name__.rpartition(".")[2] if found else ""


def versions_of(rest: str) -> dict[str, str]:
    """Return the version of the package of an engine; none if it is not installed."""
    engine = known_engines().get(rest.partition(":")[0])
    version = "" if engine is None else version_of_package(engine)
    return {engine.package: version} if engine and version else {}


def llama_cpp_is_installed() -> bool:
    """Whether ``engine:llama.cpp:FILE`` can be loaded: Node.js and node-llama-cpp are there."""
    return is_installed(known_engines()["llama.cpp"])
