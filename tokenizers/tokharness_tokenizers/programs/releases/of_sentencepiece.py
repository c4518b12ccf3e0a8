"""A release of SentencePiece, with a model file."""

# scheme: sentencepiece
# library: sentencepiece
# pip: sentencepiece==RELEASE

from __future__ import annotations

from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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


def encoders_of(processor: Any) -> dict[str, Callable[[list[Any]], Any]]:
    """Return the entry points that give the ids of texts; those that the model supports."""
    found: dict[str, Callable[[list[Any]], Any]] = {
        "encode with num_threads": partial(processor.encode, num_threads=THREADS),
        "encode with reverse": lambda texts: [
            processor.encode(text, reverse=True)[::-1] for text in texts
        ],
    }
    ends = {"add_bos": processor.bos_id(), "add_eos": processor.eos_id()}
    affixes = {option: token_id for option, token_id in ends.items() if token_id >= 0}
    if affixes:  # the library refuses an option whose token a model lacks
        found[f"encode with {' and '.join(affixes)}"] = partial(
            _each, partial(_within, processor, affixes)
        )
    chunks = {"chunk_len": CHUNK, "num_threads": THREADS}
    for start, options in (("", {}), ("NBest", {"nbest_size": 1}), ("Parallel", chunks)):
        for end, ids_of in _results_of(processor).items():
            name = f"{start}EncodeAs{end}"
            method = getattr(processor, name, None)
            if method and (start != "NBest" or _works(method, options)):
                read = _reader(method, options, ids_of, best=start == "NBest")
                found[name] = partial(_each, read)
    return found


def _results_of(processor: Any) -> dict[str, Callable[[Any], list[int]]]:
    """Return how to read the ids in each type of result that can be made here."""
    found: dict[str, Callable[[Any], list[int]]] = {
        "Ids": list,
        "Pieces": lambda pieces: list(map(processor.piece_to_id, pieces)),
    }
    if _has("numpy"):
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


def _each(function: Callable[[Any], Any], items: list[Any]) -> list[Any]:
    return [function(item) for item in items]


def _works(method: Callable[..., Any] | None, options: Mapping[str, Any]) -> bool:
    """Whether a method works at all: BPE has no best segmentations, protobuf may be missing."""
    try:
        return method is not None and method("a", **options) not in (None, [])  # in 0.2.0
    except (ImportError, RuntimeError, ValueError):
        return False


def _within(processor: Any, affixes: Mapping[str, int], text: str) -> list[int]:
    """Return the ids without the start and the end that options add; all ids if one is missing."""
    ids: list[int] = processor.encode(text, **dict.fromkeys(affixes, True))
    start, end = ([affixes[one]] if one in affixes else [] for one in ("add_bos", "add_eos"))
    within = ids[len(start) : len(ids) - len(end)]
    return within if [*start, *within, *end] == ids else ids


def decoders_of(processor: Any) -> dict[str, Callable[[list[Any]], Any]]:
    """Return the entry points that give the text of ids, or its bytes."""

    def pieces_of(ids: Sequence[int]) -> list[str]:
        return list(map(processor.id_to_piece, ids))

    found: dict[str, Callable[[list[Any]], Any]] = {
        "DecodeIds": partial(_each, processor.DecodeIds),
        "DecodePieces": lambda rows: [processor.DecodePieces(pieces_of(ids)) for ids in rows],
        "decode with num_threads": partial(processor.decode, num_threads=THREADS),
    }
    if _works(getattr(processor, "EncodeAsProto", None), {}):
        found["DecodeIdsAsProto"] = lambda rows: [
            processor.DecodeIdsAsProto(ids).text for ids in rows
        ]
        found["DecodePiecesAsProto"] = lambda rows: [
            processor.DecodePiecesAsProto(pieces_of(ids)).text for ids in rows
        ]
    return found


class Library:
    """A processor of the library with the method names of tokharness."""

    def __init__(self, path: str, processor: Any) -> None:
        self.name = path
        self._processor = processor
        self._shows_offsets = _shows_offsets(processor)
        self.encode: Callable[[str], list[int]] = processor.encode
        self.encode_batch: Callable[[list[str]], list[list[int]]] = processor.encode
        self.encoders, self.decoders = encoders_of(processor), decoders_of(processor)
        self.n_vocab: int = processor.get_piece_size()
        self.special_tokens: dict[str, int] = {}
        for number in range(self.n_vocab):
            if processor.is_control(number) or processor.is_unknown(number):
                self.special_tokens[processor.id_to_piece(number)] = number

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


def _shows_offsets(processor: Any) -> bool:
    """Whether the library has offsets of its own; releases before 0.2.2 have them in messages."""
    try:
        return bool(processor.encode("a", out_type="offset_mapping"))
    except Exception:
        return False


def load(_kind: str, path: str) -> Library:
    """Load a model; raises what the library raises."""
    from sentencepiece import SentencePieceProcessor

    return Library(path, SentencePieceProcessor(model_file=path))


def _has(library: str) -> bool:
    try:
        return bool(version(library))
    except PackageNotFoundError:
        return False
