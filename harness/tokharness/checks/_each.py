"""Ask a target about many things, each apart; what it raises stands in the place of an answer."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

from tokharness.checks._attempt import Raised, called
from tokharness.model import decoded_text
from tokharness.subject import as_ids

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.subject import Subject

__all__ = ["decoded_each", "encoded_each", "frame", "without_frame"]

LETTERS = ("a", "1", ".", "\u4e2d")

Frame = tuple[list[int], list[int]]
"""Ids that stand before, and after, those of every text."""


def encoded_each(texts: Sequence[str], subject: Subject) -> list[Any]:
    """Ids of each text, or what it raised."""
    many = getattr(subject.target.tokenizer, "column_of_each", None)
    if many is not None:  # a process of its own: fewer questions
        return [_raised_or(as_ids, result) for result in many("encode", texts)]
    encode = subject.target.encode
    return [_raised_or(as_ids, called(encode, text)) for text in texts]


def decoded_each(sequences: Sequence[Sequence[int]], subject: Subject) -> list[Any]:
    """Text that each sequence of ids decodes to, or what it raised."""
    many = getattr(subject.target.tokenizer, "column_of_each", None)
    if many is not None:
        return [_raised_or(decoded_text, one) for one in many("decode", list(map(list, sequences)))]
    decode = subject.target.tokenizer.decode
    return [_raised_or(decoded_text, called(decode, list(ids))) for ids in sequences]


def frame(subject: Subject) -> Frame:
    """Ids that every text gets, such as one for the start of a text."""

    def found() -> Frame:
        known = [ids for ids in encoded_each(LETTERS, subject) if not isinstance(ids, Raised)]
        before = _shared_start(known)
        return before, _shared_start([ids[len(before) :][::-1] for ids in known])[::-1]

    return subject.remember("ids of every text", found)


def without_frame(ids: list[int], subject: Subject) -> list[int]:
    """Ids without those that every text gets."""
    before, after = frame(subject)
    if ids[: len(before)] == before:
        ids = ids[len(before) :]
    return ids[: len(ids) - len(after)] if after and ids[-len(after) :] == after else ids


def _shared_start(columns: list[list[int]]) -> list[int]:
    """Ids with which all begin; none if there is one only, which shares nothing."""
    if len(columns) < 2:
        return []
    same = takewhile(lambda row: len(set(row)) == 1, zip(*columns, strict=False))
    return [row[0] for row in same]


def _raised_or(convert: Any, result: Any) -> Any:
    if isinstance(result, Raised):
        return result
    return Raised(result) if isinstance(result, BaseException) else called(convert, result)
