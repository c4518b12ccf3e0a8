"""Further entry points of ``SentencePieceProcessor``.

Names in snake case, such as ``encode_as_ids``, are the same functions.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers import libraries
from tokharness_tokenizers.variants import one_by_one

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness_tokenizers.variants import Variants

__all__ = ["NOT_CALLED", "decoders", "encoders"]

OF_SAMPLES = tuple(f"SampleEncodeAs{kind}" for kind in ("Ids", "Numpy", "Pieces", "Proto"))
NOT_CALLED = {
    **dict.fromkeys(OF_SAMPLES, "it gives a segmentation at random"),
    "NBestEncode": "NBestEncodeAsIds and its like call it",
    "ParallelEncode": "ParallelEncodeAsIds and its like call it",
}
CHUNK = 64
"""Bytes of a chunk: the texts of many families have several."""

THREADS = 2


def encoders(processor: Any) -> Variants:
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


def decoders(processor: Any) -> Variants:
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
