"""SentencePiece, the library of Google, from a model file.

``sentencepiece:FILE``     a SentencePiece model, whatever its name is
``sentencepiece:FOLDER``   a folder with a ``tokenizer.model``
``sentencepiece@RELEASE:FILE``   either with another release, such as ``sentencepiece@0.2.0:FILE``

It needs the extra ``tokharness[sentencepiece]``: ``sentencepiece`` 0.2 or later.

The library never reads control pieces, such as ``<s>``, from text, and ``encode`` adds none
(``add_bos=False, add_eos=False``, its defaults). They are the special tokens, with the unknown
piece. User-defined pieces are read from all text, also by the reference; they are the attribute
``added_tokens``. Decoding shows no control pieces.

``normalizer`` is the name of the rules in the file, such as ``SentencePiece nmt_nfkc``, which also
change spaces and U+2581; ``normalize`` gives the text that decoding has to return.

The automatic reference is ``reference`` with the same file.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetError, VocabularyError
from tokharness.home import expand_user
from tokharness_tokenizers import libraries, releases, variants
from tokharness_tokenizers.file_errors import FILE_ERRORS, sentence_of
from tokharness_tokenizers.programs.releases.of_sentencepiece import NOT_CALLED, Library

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokharness.model import Description
    from tokharness.targets.processes.remote import Remote
    from tokharness_tokenizers.reference.merge_lists import Merges, Scores

__all__ = [
    "LIBRARY",
    "NOT_CALLED",
    "RUNS_CODE",
    "SCHEME",
    "describe",
    "healthy",
    "load",
    "load_release",
    "prepare",
    "recognize",
    "reference",
    "versions",
]


SCHEME = LIBRARY = "sentencepiece"
RUNS_CODE = False


class Engine(Library):
    """A processor of the release that is installed, with what its file declares."""

    def __init__(self, path: Path, processor: Any, declared: Any) -> None:
        super().__init__(str(path), processor)
        self.encode_variants = partial(variants.results, self.encoders)
        self.decode_variants = partial(variants.results, self.decoders)
        self.added_tokens: dict[str, int] = declared.added_tokens if declared else {}
        self.normalizer: str | None = declared.normalizer if declared else None
        self.normalize: Callable[[str], str] | None = declared.normalize if declared else None
        self.algorithm: str | None = declared.algorithm if declared else None
        self.unknown_id: int | None = declared.unknown_id if declared else None
        self.bytes_inside = declared.bytes_inside if declared else None
        self.merges: Merges | None = declared.merges if declared else None
        self.scores: Scores | None = declared.scores if declared else None


def load(rest: str) -> Engine:
    """Load a file into the library; raises TargetError if it is not there or is refused."""
    libraries.require("sentencepiece", SCHEME)
    from sentencepiece import SentencePieceProcessor

    path = _locate(rest)
    declared = _declaration(path)
    try:
        processor = SentencePieceProcessor(model_file=str(path))
    except Exception as error:
        raise libraries.refusal("sentencepiece", path, error, "sentencepiece_model") from error
    return Engine(path, processor, declared)


def load_release(release: str, rest: str) -> Remote:
    """Load a file into another release; raises TokharnessError."""
    path = _locate(rest)
    declared = _declaration(path)
    try:
        remote = releases.start(SCHEME, release, "file", str(path.absolute()))
    except TargetError as error:
        if not error.failure:
            raise
        name = f"sentencepiece {release}"
        raise libraries.refusal(name, path, error, "sentencepiece_model") from error
    releases.declare(remote, declared)
    if declared is not None:
        remote.added_tokens = declared.added_tokens
        releases.add_here(remote, merges=declared.merges, scores=declared.scores)
    return remote


prepare = partial(releases.prepare, SCHEME)
"""Make the environment of a release."""


def reference(rest: str) -> str | None:
    """Return the spec of our reference with the same file."""
    return f"reference:{_locate(rest)}"


def describe(rest: str) -> Description | None:
    """Return what the file has; raises VocabularyError if it is damaged."""
    from tokharness_tokenizers import descriptions

    return descriptions.describe_target(_locate(rest), "sentencepiece_model")


def recognize(path: Path) -> str | None:
    """Return the path if it is a SentencePiece model or a folder that has one."""
    from tokharness_tokenizers.file_formats import is_a

    return str(path) if is_a("sentencepiece_model", path) else None


def healthy(rest: str) -> list[str]:
    """Return small healthy models of the same algorithm, with unknown characters if it has them.

    There are none of characters and of words, whose faults of the library are those of all models.
    """
    from tokharness_tokenizers.vocabularies.locate import WITHOUT_BYTES, healthy_files

    declared = _declaration(_locate(rest))
    name = str(declared.algorithm).partition(",")[0] if declared else "none"
    kind = name.rpartition(" ")[2].lower()  # "SentencePiece BPE" is of "bpe"
    start = "" if declared is None or declared.unknown_id is None else WITHOUT_BYTES
    kinds = ["bpe", "unigram"] if kind in ("character", "word") else [kind]
    return [file for kind in kinds for file in healthy_files(f"{start}{kind}*.model")]


def versions() -> dict[str, str]:
    """Return the version of the library; none if it is not installed."""
    return libraries.versions("sentencepiece")


def _locate(rest: str) -> Path:
    """Return the path of a file, or of the one in a folder; raises TargetError if it is missing."""
    from tokharness_tokenizers.file_formats.sentencepiece_model import FILE_NAME

    path = expand_user(rest)
    if path.is_dir():
        path /= FILE_NAME
    if not path.is_file():
        raise TargetError(f"there is no file {path}: name a SentencePiece model or its folder")
    return path


def _declaration(path: Path) -> Any:
    """Return our reading of a file, which says what it declares; None if we cannot read it.

    Raises VocabularyError if it exceeds a bound of our reader.
    """
    from tokharness_tokenizers.reference.sentencepiece import reading
    from tokharness_tokenizers.reference.splitting import LargeError

    try:
        return reading.load(path)
    except LargeError as error:
        raise VocabularyError(sentence_of(path, error)) from error
    except FILE_ERRORS:
        return None
