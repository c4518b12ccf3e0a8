"""Encode or decode many inputs one by one; an exception takes the place of a result."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tokharness.errors import SkippedTextError
from tokharness.model import decoded_text
from tokharness.outcome import Raised, call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = [
    "BATCH",
    "decode_all",
    "encode_all",
    "reportable_ids",
    "was_skipped",
]

BATCH = "encode_batch"

Call = Callable[[Any, str], Any]

CALLS: dict[str, Call] = {
    "encode_bytes": lambda function, text: function(text.encode()),
    "encode_with_offsets": lambda function, text: _first_part(function(text)),
}
"""How to call the entry points whose argument is not a text or whose result is not ids."""


def encode_all(texts: Sequence[str], subject: Subject, entry_point: str = "") -> list[Any]:
    """Ids of each text, or :class:`Raised`; without a name, from the entry point for plain text.

    Of the result of ``encode_with_offsets`` only the ids are given.
    """
    if entry_point:
        return _encode_with(entry_point, texts, subject)
    many = getattr(subject.target.tokenizer, "call_each", None)
    if many is not None:  # in a process of its own: fewer requests
        return list(map(_or_raised, many("encode", texts)))
    encode = subject.target.encode
    return [call(encode, text) for text in texts]


def _encode_with(entry_point: str, texts: Sequence[str], subject: Subject) -> list[Any]:
    function = getattr(subject.target.tokenizer, entry_point)
    if entry_point == BATCH:
        rows = call(function, list(texts))
        several = isinstance(rows, list) and len(rows) == len(texts)
        return list(map(_or_raised, rows if several else [rows] * len(texts)))
    call_entry_point = CALLS.get(entry_point, _call_with_text)
    return [call(call_entry_point, function, text) for text in texts]


def decode_all(sequences: Sequence[Sequence[int]], subject: Subject) -> list[Any]:
    """Text that each sequence of ids decodes to, or :class:`Raised`."""
    many = getattr(subject.target.tokenizer, "call_each", None)
    if many is not None:
        results = list(map(_or_raised, many("decode", list(map(list, sequences)))))
    else:
        decode = subject.target.tokenizer.decode
        results = [call(decode, list(ids)) for ids in sequences]
    return [text if isinstance(text, Raised) else decoded_text(text) for text in results]


def reportable_ids(ids: Sequence[Any]) -> list[Any]:
    """Ids as a report can hold them: integers of any type as int, other objects as str."""
    return [_reportable(number) for number in ids]


def _reportable(number: Any) -> Any:
    try:
        return operator.index(number)
    except TypeError:
        return str(number)


def was_skipped(result: object) -> bool:
    """Whether a call was skipped, since the text resembles one that crashes or hangs the target."""
    return isinstance(result, Raised) and isinstance(result.error, SkippedTextError)


def _call_with_text(function: Any, text: str) -> Any:
    return function(text)


def _first_part(result: Any) -> list[Any]:
    """Return the ids of a result of ``encode_with_offsets``."""
    first = result[0] if isinstance(result, tuple | list) and result else []
    if not isinstance(first, list):
        raise TypeError("encode_with_offsets does not give ids and spans")
    return first


def _or_raised(result: Any) -> Any:
    return Raised(result) if isinstance(result, BaseException) else result
