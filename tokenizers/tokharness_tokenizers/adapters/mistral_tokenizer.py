"""mistral-common, the library of Mistral's models.

``mistral:FILE``     a ``tekken.json``, or a SentencePiece model, whatever its name is
``mistral:FOLDER``   a folder with one of them
``mistral:NAME``     a file that the library carries, such as ``mistral:tekken_240911.json`` or
                     ``mistral:tokenizer.model.v1``
``mistral@RELEASE:...``   each of these with another release, such as ``mistral@1.8.8:tekken.json``

It needs the extra ``tokharness[mistral]``: ``mistral-common`` 1.8.8 or later.

``encode`` is the library's ``encode(text, bos=False, eos=False)``; both arguments are required, so
the library has no default. Special tokens are never read from text. The target is the tokenizer
below the prompts of a chat, which are made of ids.

Decoding keeps the special tokens of a Tekken vocabulary (``SpecialTokenPolicy.KEEP``). Those of a
SentencePiece model are left out (``SpecialTokenPolicy.IGNORE``), since the library otherwise
returns pieces, with U+2581 for a space, and not text. What such a model changes in a text is its
``normalizer``, and the text that decoding has to return is ``normalize``.

The automatic reference is ``reference`` with the same file.
"""

from __future__ import annotations

from functools import partial
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.errors import TargetError, UnknownNameError
from tokharness.home import expand_user
from tokharness_tokenizers import libraries, releases

if TYPE_CHECKING:
    from tokharness.model import Description
    from tokharness.targets.processes.remote import Remote
    from tokharness_tokenizers.mistral import Engine

__all__ = [
    "LIBRARY",
    "RUNS_CODE",
    "SCHEME",
    "SENTENCEPIECE",
    "TEKKEN",
    "carried",
    "describe",
    "format_of",
    "healthy",
    "load",
    "load_release",
    "locate",
    "names",
    "prepare",
    "recognize",
    "reference",
    "versions",
]


# The vocabulary files that ``mistral-common`` reads, and the files that it carries.

LIBRARY = "mistral-common"
TEKKEN, SENTENCEPIECE = "tekken_json", "sentencepiece_model"
"""The kinds of files that the library reads, as modules of :mod:`..file_formats`."""


def carried() -> dict[str, Path]:
    """Return the path of each vocabulary in the folder ``data`` of the library, by its name."""
    try:
        paths = files(LIBRARY) or ()
    except PackageNotFoundError:
        return {}
    vocabularies = (Path(str(path.locate())) for path in paths if path.parent.name == "data")
    return {path.name: path for path in vocabularies if {".json", ".model"} & {*path.suffixes}}


def locate(rest: str) -> Path:
    """Return the path of a file; raises TargetError or UnknownNameError if there is none."""
    from tokharness_tokenizers import file_formats

    if not rest:
        raise TargetError("mistral: names no vocabulary: write mistral:NAME or mistral:FILE")
    path = expand_user(rest)
    if not path.exists():
        if "/" in rest:
            raise TargetError(f"there is no file {path}: check the path")
        if rest not in carried():
            raise UnknownNameError("vocabulary of mistral-common", rest, tuple(sorted(carried())))
        return carried()[rest]
    try:
        found = file_formats.find(path)
    except OSError as error:
        raise TargetError(f"cannot read the vocabulary {path}: {error.strerror}") from error
    return found[1] if found else path


def format_of(path: Path) -> str:
    """Return the kind of a file; raises TargetError if the library does not read it."""
    from tokharness_tokenizers.file_formats import is_a

    for name in (TEKKEN, SENTENCEPIECE):
        if is_a(name, path):
            return name
    what = f"the folder {path} has" if path.is_dir() else f"{path} is"
    raise TargetError(f"{what} neither a Tekken vocabulary nor a SentencePiece model: name one")


SCHEME = "mistral"
RUNS_CODE = False


def load(rest: str) -> Engine:
    """Load a file into the library; raises TargetError or UnknownNameError."""
    libraries.require(LIBRARY, SCHEME)
    from tokharness_tokenizers import mistral

    path = locate(rest)
    is_tekken = format_of(path) == TEKKEN
    try:
        return mistral.load_tekken(path) if is_tekken else mistral.load_sentencepiece(path)
    except Exception as error:
        raise libraries.refusal(LIBRARY, path, error, TEKKEN, SENTENCEPIECE) from error


def load_release(release: str, rest: str) -> Remote:
    """Load a file, or one that the release carries; raises TokharnessError."""
    from tokharness_tokenizers import mistral

    kind, path = "name", expand_user(rest)
    if path.exists() or "/" in rest:
        path = locate(rest)
        kind = "tekken" if format_of(path) == TEKKEN else "model"
    where = rest if kind == "name" else str(path.absolute())
    try:
        remote = releases.start(SCHEME, release, kind, where)
    except TargetError as error:
        if not error.failure:
            raise
        message = f"mistral-common {release} cannot load {rest}: {error}"
        raise TargetError(message, failure=error.failure) from error
    if kind == "model" and (declared := mistral.declaration(path)) is not None:
        remote.added_tokens = declared.added_tokens
        remote.algorithm, remote.normalizer = declared.algorithm, declared.normalizer
        if remote.normalizer is not None:
            releases.add_here(remote, normalize=declared.normalize)
    return remote


prepare = partial(releases.prepare, SCHEME)
"""Make the environment of a release."""


def reference(rest: str) -> str | None:
    """Return the spec of our reference with the same file."""
    return f"reference:{locate(rest)}"


def describe(rest: str) -> Description | None:
    """Return what the file has; raises VocabularyError if it is damaged."""
    from tokharness_tokenizers import descriptions

    return descriptions.describe_target(locate(rest))


def names() -> tuple[str, ...]:
    """Return the names of the files that the library carries; none if it is not installed."""
    return tuple(sorted(carried()))


def recognize(path: Path) -> str | None:
    """Return the path if it is a Tekken vocabulary or a folder that has one."""
    from tokharness_tokenizers.file_formats import is_a

    return str(path) if is_a("tekken_json", path) else None


def healthy(rest: str) -> list[str]:
    """Return small healthy files of the same format."""
    from tokharness_tokenizers.vocabularies.locate import healthy_files

    is_tekken = format_of(locate(rest)) == TEKKEN
    return healthy_files("tekken*.json" if is_tekken else "bpe*.model")


def versions() -> dict[str, str]:
    """Return the version of the library; none if it is not installed."""
    return libraries.versions(LIBRARY)
