"""SentencePiece, the library of Google, from a model file.

``sentencepiece:FILE``     a SentencePiece model, whatever its name is
``sentencepiece:FOLDER``   a folder with a ``tokenizer.model``

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
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetError, VocabularyError
from tokharness_tokenizers import libraries, variants
from tokharness_tokenizers.file_errors import FILE_ERRORS, sentence_of
from tokharness_tokenizers.variants import of_sentencepiece

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.model import Description
    from tokharness_tokenizers.reference.merge_lists import Merges, Scores

__all__ = [
    "RUNS_CODE",
    "SCHEME",
    "describe",
    "healthy",
    "load",
    "recognize",
    "reference",
    "versions",
]

SCHEME = "sentencepiece"
RUNS_CODE = False


class Engine:
    """A processor of the library with the method names of tokharness."""

    def __init__(self, path: Path, processor: Any, declared: Any) -> None:
        self.name = str(path)
        self._processor = processor
        self._shows_offsets = _shows_offsets(processor)
        self.encode: Callable[[str], list[int]] = processor.encode
        self.encode_batch: Callable[[list[str]], list[list[int]]] = processor.encode
        encoders = of_sentencepiece.encoders(processor)
        self.encode_variants = partial(variants.results, encoders)
        decoders = of_sentencepiece.decoders(processor)
        self.decode_variants = partial(variants.results, decoders)
        self.n_vocab: int = processor.get_piece_size()
        self.special_tokens: dict[str, int] = {}
        for number in range(self.n_vocab):
            if processor.is_control(number) or processor.is_unknown(number):
                self.special_tokens[processor.id_to_piece(number)] = number
        self.added_tokens: dict[str, int] = declared.added_tokens if declared else {}
        self.normalizer: str | None = declared.normalizer if declared else None
        self.normalize: Callable[[str], str] | None = declared.normalize if declared else None
        self.algorithm: str | None = declared.algorithm if declared else None
        self.unknown_id: int | None = declared.unknown_id if declared else None
        self.bytes_inside = declared.bytes_inside if declared else None
        self.merges: Merges | None = declared.merges if declared else None
        self.scores: Scores | None = declared.scores if declared else None

    def decode(self, ids: Sequence[int]) -> str:
        """Decode ids; raises IndexError for an unknown id."""
        return self._processor.decode(list(ids))  # type: ignore[no-any-return]

    def decode_batch(self, rows: Sequence[Sequence[int]]) -> list[str]:
        """Decode sequences of ids."""
        return self._processor.decode([list(ids) for ids in rows])  # type: ignore[no-any-return]

    def encode_with_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Encode a text; also return the code points of each token."""
        if self._shows_offsets:
            found = self._processor.encode(text, out_type="offset_mapping")
            return found["ids"], found["offsets"]
        pieces = self._processor.encode(text, out_type="immutable_proto").pieces
        return [one.id for one in pieces], [(one.begin, one.end) for one in pieces]

    def token_text(self, number: int) -> str:
        """Return the text of a piece; raises KeyError for an unknown id."""
        if not 0 <= number < self.n_vocab:
            raise KeyError(f"no piece has the id {number!r}")
        return self._processor.id_to_piece(number)  # type: ignore[no-any-return]

    def stages(self, text: str) -> list[tuple[str, list[str]]]:
        """Return a text after each stage."""
        ids = self.encode(text)
        return [
            ("normalizer", [self._processor.normalize(text)]),
            ("model", [self.token_text(number) for number in ids]),
            ("decoder", [self.decode(ids)]),
        ]


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
    """Return small healthy models of the same algorithm."""
    from tokharness_tokenizers.vocabularies.locate import healthy_files

    declared = _declaration(_locate(rest))
    kind = str(declared.algorithm).partition(",")[0].lower() if declared else "unknown"
    return healthy_files(f"{kind}*.model")


def versions() -> dict[str, str]:
    """Return the version of the library; none if it is not installed."""
    return libraries.versions("sentencepiece")


def _locate(rest: str) -> Path:
    """Return the path of a file, or of the one in a folder; raises TargetError if it is missing."""
    from tokharness_tokenizers.file_formats.sentencepiece_model import FILE_NAME

    path = Path(rest).expanduser()
    if path.is_dir():
        path /= FILE_NAME
    if not path.is_file():
        raise TargetError(f"there is no file {path}: name a SentencePiece model or its folder")
    return path


def _shows_offsets(processor: Any) -> bool:
    """Whether the library has offsets of its own; releases before 0.2.2 have them in messages."""
    try:
        return bool(processor.encode("a", out_type="offset_mapping"))
    except Exception:
        return False


def _declaration(path: Path) -> Any:
    """Return our reading of a file, which says what it declares; None if we cannot read it.

    Raises VocabularyError if it exceeds a bound of our reader.
    """
    from tokharness_tokenizers.reference.pattern_size import LargeError
    from tokharness_tokenizers.reference.sentencepiece import reading

    try:
        return reading.load(path)
    except LargeError as error:
        raise VocabularyError(sentence_of(path, error)) from error
    except FILE_ERRORS:
        return None
