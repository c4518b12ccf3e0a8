"""Ask a target about many things, each apart; what it raises stands in the place of an answer."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tokharness.errors import NotTriedError
from tokharness.model import decoded_text
from tokharness.outcome import Raised, called
from tokharness.targets.subject import as_ids

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = [
    "BATCH",
    "decode_all",
    "encode_all",
    "reportable_ids",
    "was_not_tried",
]

BATCH = "encode_batch"

Ask = Callable[[Any, str], Any]

ASKED_OTHERWISE: dict[str, Ask] = {
    "encode_bytes": lambda function, text: function(text.encode()),
    "encode_with_offsets": lambda function, text: next(iter(function(text)), ()),
}
"""How to ask those entry points that do not take a text and give its ids."""


def encode_all(texts: Sequence[str], subject: Subject, entry_point: str = "") -> list[Any]:
    """Ids of each text, or what it raised; from the entry point for plain text, or the one named.

    Of what ``encode_with_offsets`` gives these are the first part.
    """
    if entry_point:
        return _encoded_by(entry_point, texts, subject)
    many = getattr(subject.target.tokenizer, "column_of_each", None)
    if many is not None:  # a process of its own: fewer questions
        return [_raised_or(as_ids, result) for result in many("encode", texts)]
    encode = subject.target.encode
    return [_raised_or(as_ids, called(encode, text)) for text in texts]


def _encoded_by(entry_point: str, texts: Sequence[str], subject: Subject) -> list[Any]:
    function = getattr(subject.target.tokenizer, entry_point)
    if entry_point == BATCH:
        rows = called(lambda: list(function(list(texts))))
        several = isinstance(rows, list) and len(rows) == len(texts)
        return [_raised_or(as_ids, row) for row in (rows if several else [rows] * len(texts))]
    ask = ASKED_OTHERWISE.get(entry_point, _asked)
    return [called(lambda: as_ids(ask(function, text))) for text in texts]  # noqa: B023


def decode_all(sequences: Sequence[Sequence[int]], subject: Subject) -> list[Any]:
    """Text that each sequence of ids decodes to, or what it raised."""
    many = getattr(subject.target.tokenizer, "column_of_each", None)
    if many is not None:
        return [_raised_or(decoded_text, one) for one in many("decode", list(map(list, sequences)))]
    decode = subject.target.tokenizer.decode
    return [_raised_or(decoded_text, called(decode, list(ids))) for ids in sequences]


def reportable_ids(ids: Sequence[Any]) -> list[Any]:
    """Ids as a report can hold them: whole numbers of any kind as int, what is none in words."""
    return [_number(one) for one in ids]


def _number(one: Any) -> Any:
    try:
        return operator.index(one)
    except TypeError:
        return str(one)


def was_not_tried(result: object) -> bool:
    """Whether a process of its own was not asked, since the text is close to a deadly one."""
    return isinstance(result, Raised) and isinstance(result.error, NotTriedError)


def _asked(function: Any, text: str) -> Any:
    return function(text)


def _raised_or(convert: Any, result: Any) -> Any:
    if isinstance(result, Raised):
        return result
    return Raised(result) if isinstance(result, BaseException) else called(convert, result)
