"""Descriptions of tokenizer files in few bytes, without loss.

The tokens are sorted; each token is stored as the length of the prefix that it shares with the
token before it, and the rest; the order of their ids is stored next to them. A merge is stored as
the place of the token that it makes, minus the place of the previous merge's token, and the length
of its left part. Half of the bytes are the order, which cannot be made smaller: the order of n
tokens has log2(n!) bits.
"""

from __future__ import annotations

import json
from array import array
from typing import TYPE_CHECKING, Any, Final

from tokharness.model import Description, TokenEntry
from tokharness.packing.columns import (
    Reader,
    Writer,
    add_merges,
    add_texts,
    read_merges,
    read_texts,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["pack", "unpack"]

MAGIC: Final = b"TKD1"
WHAT: Final = "the packed description"
MOST_OF_HEAD: Final = 1 << 23
"""Bytes of JSON. (A charsmap has 320,000, a hundred added tokens 15,000.)"""
FLOATS: Final = {4: ("f", "i"), 8: ("d", "q")}
"""The codes in :mod:`array` of a float and of an integer of a size in bytes."""


def pack(description: Description) -> bytes:
    """Return a description as bytes.

    Raises:
        ValueError: an id has more than 64 bits, or a stage is not JSON.

    """
    rows, merges = description.tokens, description.merges
    tokens = [row.token for row in rows]
    scores = [row.score for row in rows if row.score is not None]
    size = 4 if _are_single(scores) else 8
    types = sorted({row.type for row in rows if row.type is not None})
    place = {name: at for at, name in enumerate((None, *types))}
    head = {
        "format": description.format,
        "stages": dict(description.stages),
        "types": types,
        "score_bytes": size,
        "has_merges": merges is not None,
    }
    writer = Writer(MAGIC)
    writer.add(_json(head))
    writer.add_steps([row.id for row in rows])
    add_texts(writer, tokens)
    writer.add_numbers([place[row.type] for row in rows])
    writer.add_numbers([row.score is not None for row in rows])
    _add_scores(writer, scores, size)
    if merges is not None:
        add_merges(writer, tokens, merges)
    return writer.block()


def _json(head: Mapping[str, Any]) -> bytes:
    try:
        data = json.dumps(head).encode("ascii")
    except (TypeError, RecursionError) as error:
        raise ValueError(f"a stage is not JSON: {error}") from error
    if len(data) > MOST_OF_HEAD:
        raise ValueError(f"the stages have more than {MOST_OF_HEAD:,} bytes")
    return data


def _are_single(scores: Sequence[float]) -> bool:
    """Whether scores are floats of four bytes, including infinite scores and NaN."""
    return array("d", array("f", scores)).tobytes() == array("d", scores).tobytes()


def _add_scores(writer: Writer, scores: Sequence[float], size: int) -> None:
    """Add the bits of scores as integers: neighbours have similar bits."""
    real, whole = FLOATS[size]
    writer.add_steps(array(whole, array(real, scores).tobytes()))


def unpack(data: bytes) -> Description:
    """Return the description of bytes, which may come from anyone.

    Raises:
        ValueError: the bytes are not from :func:`pack`, or expand to too much.

    """
    reader = Reader(data, MAGIC, WHAT)
    head = _read_head(reader)
    ids = reader.read_steps()
    tokens = read_texts(reader)
    types = (None, *head["types"])
    kinds = reader.read_numbers(most=len(types) - 1)
    has_score = reader.read_numbers(most=1)
    if not len(ids) == len(tokens) == len(kinds) == len(has_score):
        raise reader.error("its columns have different lengths")
    scores = iter(_read_scores(reader, head["score_bytes"], sum(has_score)))
    rows = tuple(
        TokenEntry(number, token, next(scores) if scored else None, types[kind])
        for number, token, scored, kind in zip(ids, tokens, has_score, kinds, strict=True)
    )
    merges = read_merges(reader, tokens) if head["has_merges"] else None
    reader.end()
    return Description(head["format"], head["stages"], rows, merges)


def _read_head(reader: Reader) -> dict[str, Any]:
    try:
        head = json.loads(reader.read(MOST_OF_HEAD))
    except (ValueError, RecursionError) as error:
        raise reader.error(f"its head is not JSON: {error}") from error
    if not isinstance(head, dict) or head.keys() != HEAD.keys():
        raise reader.error("its head has other keys")
    for key, kind in HEAD.items():
        if not isinstance(head[key], kind):
            raise reader.error(f"its head has the wrong type of {key}")
    if head["score_bytes"] not in FLOATS or not all(isinstance(one, str) for one in head["types"]):
        raise reader.error("its head has an unknown type of token or score")
    return head


HEAD: Final = {
    "format": str,
    "stages": dict,
    "types": list,
    "score_bytes": int,
    "has_merges": bool,
}


def _read_scores(reader: Reader, size: int, count: int) -> array[float]:
    real, whole = FLOATS[size]
    steps = reader.read_steps()
    if len(steps) != count:
        raise reader.error("it has another number of scores")
    try:
        return array(real, array(whole, steps).tobytes())
    except OverflowError as error:
        raise reader.error("a score has too many bits") from error
