"""tiktoken, the tokenizer library of OpenAI's models.

``tiktoken:NAME``       a vocabulary of tiktoken: ``o200k_base``, ``cl100k_base``, ``p50k_base``,
                        ``r50k_base``, ``gpt2``, ...; tiktoken downloads a vocabulary that is not in
                        its cache (TIKTOKEN_CACHE_DIR)
``tiktoken:MODEL``      the vocabulary of a model, by tiktoken's names: ``gpt-4``, ``gpt-4o-mini``
``tiktoken:embedded``   tiktoken's engine with the vocabulary that tokharness includes
``tiktoken:PATH``       tiktoken's engine with a ``.tiktoken`` file and its side file ``PATH.json``
``tiktoken@RELEASE:...``  each of these with another release, such as ``tiktoken@0.9.0:o200k_base``

Every method is one call of tiktoken's public interface. ``encode`` raises ValueError for the text
of a special token, which is tiktoken's default; ``encode_special`` allows all special tokens;
``encode_ordinary`` recognizes none. The automatic reference is ``reference`` with the same ranks
and pattern.

A vocabulary with a defect is loaded as tiktoken itself loads it: of two ids of one token only the
one on the later line is known, and encoding panics where a byte without a token remains. The ids
that are lost in this way are in ``conflicting_tokens``.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetError, UnknownNameError, VocabularyError
from tokharness_tokenizers import releases, variants
from tokharness_tokenizers.file_errors import named_file_errors
from tokharness_tokenizers.programs.releases.of_tiktoken import NOT_CALLED, Library

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tiktoken import Encoding

    from tokharness.model import Description
    from tokharness.targets.processes.remote import Remote

__all__ = [
    "LIBRARY",
    "NOT_CALLED",
    "RUNS_CODE",
    "SCHEME",
    "aliases",
    "describe",
    "healthy",
    "load",
    "load_release",
    "names",
    "prepare",
    "recognize",
    "reference",
    "versions",
]


SCHEME = LIBRARY = "tiktoken"
RUNS_CODE = False


class Engine(Library):
    """An ``Encoding`` of the release that is installed."""

    def __init__(
        self,
        encoding: Encoding,
        special_tokens: Mapping[str, int] | None = None,
        conflicting_tokens: Mapping[int, bytes] | None = None,
    ) -> None:
        super().__init__(encoding, special_tokens)
        # tiktoken has no public name for it.
        self.pattern: str | None = getattr(encoding, "_pat_str", None)
        self.conflicting_tokens = dict(conflicting_tokens or {})
        self.encode_variants = partial(variants.results, self.encoders)
        self.decode_variants = partial(variants.results, self.decoders)


def load(rest: str) -> Engine:
    """Load a vocabulary into tiktoken; raises TargetError, VocabularyError or UnknownNameError."""
    from tokharness_tokenizers.vocabularies import locate

    rest = _vocabulary_of(rest)
    if rest in locate.PUBLISHED or rest in _tiktoken_names():
        return Engine(_by_name(rest))
    known = (*names(), *aliases())
    try:
        path = locate.path_of(rest)
    except UnknownNameError:
        raise UnknownNameError("vocabulary or model of tiktoken", rest, known) from None
    if path is None:
        raise UnknownNameError("vocabulary or model of tiktoken", rest, known)
    return _by_path(path)


def load_release(release: str, rest: str) -> Remote:
    """Load a vocabulary into another release; raises TokharnessError."""
    from tokharness_tokenizers.vocabularies import locate

    rest = _vocabulary_of(rest)
    if rest in locate.PUBLISHED or rest in _tiktoken_names():
        return _start(release, "name", rest)
    path = locate.path_of(rest)
    if path is None or not path.is_file():
        raise TargetError(f"there is no file {path}: check the path")
    return _start(release, "file", str(path.absolute()))


def _start(release: str, kind: str, vocabulary: str) -> Remote:
    try:
        return releases.start(SCHEME, release, kind, vocabulary)
    except TargetError as error:
        if not error.failure:
            raise
        message = f"tiktoken {release} cannot load {vocabulary!r}: {error}"
        raise TargetError(message, failure=error.failure) from error


prepare = partial(releases.prepare, SCHEME)
"""Make the environment of a release."""


def reference(rest: str) -> str | None:
    """Return the spec of our reference with the same vocabulary; None if it does not have it."""
    from tokharness_tokenizers.vocabularies import locate

    rest = _vocabulary_of(rest)
    try:
        locate.path_of(rest)
    except UnknownNameError:
        return None
    return f"reference:{rest}"


def describe(rest: str) -> Description | None:
    """Return what the files have; of an encoding that we cannot read, what tiktoken has.

    Raises TargetError, VocabularyError or UnknownNameError.
    """
    from tokharness_tokenizers.descriptions.model_folder import of_model
    from tokharness_tokenizers.descriptions.tiktoken_ranks import (
        describe_ranks,
        describe_vocabulary,
    )
    from tokharness_tokenizers.reference.ranks_file import Ranks
    from tokharness_tokenizers.vocabularies import locate

    rest = _vocabulary_of(rest)
    if rest in locate.PUBLISHED or rest not in _tiktoken_names():
        found = describe_vocabulary(rest)
        read = {name: stage for name, stage in found.stages.items() if name != "options"}
        found, path = replace(found, stages=read), locate.path_of(rest)
        if path is None:
            return found
        with named_file_errors(path):
            return of_model(found, path)
    encoding = _by_name(rest)
    names = ("_mergeable_ranks", "_pat_str", "_special_tokens")  # tiktoken has no public ones
    values: list[Any] = [getattr(encoding, name, None) for name in names]
    return None if None in values else describe_ranks(Ranks(values[0]), *values[1:])


def names() -> tuple[str, ...]:
    """Return the names of the vocabularies that need no path."""
    return ("embedded", *_tiktoken_names())


def aliases() -> tuple[str, ...]:
    """Return the names of models, each of which has one of the vocabularies."""
    from tiktoken.model import MODEL_TO_ENCODING

    return tuple(MODEL_TO_ENCODING)


def recognize(path: Path) -> str | None:
    """Return the path if it is a file of ranks; with a slash or the suffix it is not a name."""
    from tokharness_tokenizers.file_formats import is_a

    if not path.is_file() or not is_a("tiktoken_ranks", path):
        return None
    text = path.as_posix()
    return text if text.endswith(".tiktoken") or "/" in text else f"./{text}"


def healthy(_rest: str) -> list[str]:
    """Return our vocabulary, and a small one with another pattern."""
    from tokharness_tokenizers.vocabularies.locate import healthy_files

    return ["embedded", *healthy_files("other.tiktoken")]


def versions() -> dict[str, str]:
    """Return the version of tiktoken."""
    return {"tiktoken": version("tiktoken")}


def _tiktoken_names() -> list[str]:
    import tiktoken

    return tiktoken.list_encoding_names()


def _vocabulary_of(rest: str) -> str:
    """Return the name of the vocabulary of a model; anything else stays as it is."""
    import tiktoken

    if rest in names() or "/" in rest or rest.endswith(".tiktoken"):
        return rest
    try:
        return tiktoken.encoding_name_for_model(rest)
    except KeyError:
        return rest


def _by_name(name: str) -> Encoding:
    import tiktoken

    from tokharness_tokenizers.vocabularies import locate

    published = locate.PUBLISHED.get(name)
    # Raise for a corrupt file, which tiktoken itself would delete and download again.
    if published and published.cache_path.exists():
        locate.read_published(published)
    try:
        return tiktoken.get_encoding(name)
    except Exception as error:
        raise TargetError(
            f"tiktoken cannot load {name!r} ({type(error).__name__}): it is not in its cache and "
            "could not be downloaded; run once with a network connection, set TIKTOKEN_CACHE_DIR "
            "to a folder that has it, or use tiktoken:embedded"
        ) from error


def _by_path(path: Path) -> Engine:
    import tiktoken

    from tokharness_tokenizers.reference import ranks_file
    from tokharness_tokenizers.reference.byte_bpe import find_conflicting_tokens

    # Not tiktoken's own reader, which caches a copy of each path and reads that later.
    with named_file_errors(path):
        side = ranks_file.read_side_file(path)
        lines = ranks_file.read_ranks(path, side)
    try:
        encoding = tiktoken.Encoding(
            side.name,
            pat_str=side.pattern,
            mergeable_ranks=dict(lines.ranks),
            special_tokens=dict(side.special_tokens),
        )
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a panic is not an Exception
        reason = " ".join(str(error).split())
        message = f"tiktoken refuses the vocabulary {path}: {reason}"
        raise VocabularyError(message, failure=type(error).__name__) from error
    conflicting_tokens = find_conflicting_tokens(lines.ranks, lines.other_ids, side.special_tokens)
    return Engine(encoding, side.special_tokens, conflicting_tokens)
