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
from tokharness_tokenizers.variants import one_by_one

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness.model import Description
    from tokharness_tokenizers.reference.merge_lists import Merges, Scores
    from tokharness_tokenizers.variants import Variants

__all__ = [
    "NOT_CALLED",
    "RUNS_CODE",
    "SCHEME",
    "decoders_of",
    "describe",
    "encoders_of",
    "healthy",
    "load",
    "recognize",
    "reference",
    "versions",
]


# Further entry points of ``SentencePieceProcessor``.
#
# Names in snake case, such as ``encode_as_ids``, are the same functions.

OF_SAMPLES = tuple(f"SampleEncodeAs{kind}" for kind in ("Ids", "Numpy", "Pieces", "Proto"))
NOT_CALLED = {
    **dict.fromkeys(OF_SAMPLES, "it gives a segmentation at random"),
    "NBestEncode": "NBestEncodeAsIds and its like call it",
    "ParallelEncode": "ParallelEncodeAsIds and its like call it",
}
CHUNK = 64
"""Bytes of a chunk: the texts of many families have several."""

THREADS = 2


def encoders_of(processor: Any) -> Variants:
    """Return the entry points that give the ids of texts; those that the model supports."""
    found: dict[str, Callable[[list[str]], Any]] = {
        "encode with num_threads": partial(processor.encode, num_threads=THREADS),
        "encode with add_bos and add_eos": one_by_one(partial(_within_bos_and_eos, processor)),
        "encode with reverse": one_by_one(lambda text: processor.encode(text, reverse=True)[::-1]),
    }
    chunks = {"chunk_len": CHUNK, "num_threads": THREADS}
    for start, options in (("", {}), ("NBest", {"nbest_size": 1}), ("Parallel", chunks)):
        for end, ids_of in _results_of(processor).items():
            name = f"{start}EncodeAs{end}"
            method = getattr(processor, name, None)
            if method and (start != "NBest" or _works(method, options)):
                found[name] = one_by_one(_reader(method, options, ids_of, best=start == "NBest"))
    return found


def _results_of(processor: Any) -> dict[str, Callable[[Any], list[int]]]:
    """Return how to read the ids in each type of result that can be made here."""
    found: dict[str, Callable[[Any], list[int]]] = {
        "Ids": list,
        "Pieces": lambda pieces: list(map(processor.piece_to_id, pieces)),
    }
    if libraries.find_version("numpy"):
        found["Numpy"] = lambda array: array.tolist()
    if hasattr(processor, "EncodeAsOffsetMapping"):
        found["OffsetMapping"] = lambda mapping: mapping["ids"]
    if _works(getattr(processor, "EncodeAsProto", None), {}):
        found["Proto"] = lambda proto: [one.id for one in proto.pieces]
    return found


def _reader(
    method: Callable[..., Any],
    options: Mapping[str, Any],
    ids_of: Callable[[Any], list[int]],
    *,
    best: bool,
) -> Callable[[str], list[int]]:
    def read(text: str) -> list[int]:
        result = method(text, **options)
        if best:
            result = next(iter(getattr(result, "nbests", result)))
        return ids_of(result)

    return read


def _works(method: Callable[..., Any] | None, options: Mapping[str, Any]) -> bool:
    """Whether a method works at all: BPE has no best segmentations, protobuf may be missing."""
    try:
        return method is not None and method("a", **options) is not None
    except (ImportError, RuntimeError, ValueError):
        return False


def _within_bos_and_eos(processor: Any, text: str) -> list[int]:
    """Return the ids between the start and the end that the library adds, if the model has them."""
    ids: list[int] = processor.encode(text, add_bos=True, add_eos=True)
    bos, eos = processor.bos_id(), processor.eos_id()
    start, end = ([bos] if bos >= 0 else []), ([eos] if eos >= 0 else [])
    within = ids[len(start) : len(ids) - len(end)]
    return within if [*start, *within, *end] == ids else ids


def decoders_of(processor: Any) -> Variants:
    """Return the entry points that give the text of ids, or its bytes."""

    def pieces_of(ids: Sequence[int]) -> list[str]:
        return list(map(processor.id_to_piece, ids))

    found: dict[str, Callable[[list[Any]], Any]] = {
        "DecodeIds": one_by_one(processor.DecodeIds),
        "DecodePieces": one_by_one(lambda ids: processor.DecodePieces(pieces_of(ids))),
        "decode with num_threads": partial(processor.decode, num_threads=THREADS),
    }
    if _works(getattr(processor, "EncodeAsProto", None), {}):
        found["DecodeIdsAsProto"] = one_by_one(lambda ids: processor.DecodeIdsAsProto(ids).text)
        found["DecodePiecesAsProto"] = one_by_one(
            lambda ids: processor.DecodePiecesAsProto(pieces_of(ids)).text
        )
    return found


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
        encoders = encoders_of(processor)
        self.encode_variants = partial(variants.results, encoders)
        decoders = decoders_of(processor)
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
