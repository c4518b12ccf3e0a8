"""Encode or decode many inputs one by one; an exception takes the place of a result."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tokharness.errors import SkippedTextError
from tokharness.model import decoded_text
from tokharness.outcome import Raised, call
from tokharness.targets.subject import hashable_ids

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
    "encode_with_offsets": lambda function, text: next(iter(function(text)), ()),
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
        return [_raised_or(hashable_ids, result) for result in many("encode", texts)]
    encode = subject.target.encode
    return [_raised_or(hashable_ids, call(encode, text)) for text in texts]


def _encode_with(entry_point: str, texts: Sequence[str], subject: Subject) -> list[Any]:
    function = getattr(subject.target.tokenizer, entry_point)
    if entry_point == BATCH:
        rows = call(lambda: list(function(list(texts))))
        several = isinstance(rows, list) and len(rows) == len(texts)
        return [_raised_or(hashable_ids, row) for row in (rows if several else [rows] * len(texts))]
    call_entry_point = CALLS.get(entry_point, _call_with_text)
    return [call(lambda: hashable_ids(call_entry_point(function, text))) for text in texts]  # noqa: B023


def decode_all(sequences: Sequence[Sequence[int]], subject: Subject) -> list[Any]:
    """Text that each sequence of ids decodes to, or :class:`Raised`."""
    many = getattr(subject.target.tokenizer, "call_each", None)
    if many is not None:
        return [
            _raised_or(decoded_text, text) for text in many("decode", list(map(list, sequences)))
        ]
    decode = subject.target.tokenizer.decode
    return [_raised_or(decoded_text, call(decode, list(ids))) for ids in sequences]


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


def _raised_or(convert: Any, result: Any) -> Any:
    if isinstance(result, Raised):
        return result
    return Raised(result) if isinstance(result, BaseException) else call(convert, result)
