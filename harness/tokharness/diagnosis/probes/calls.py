"""Encode or decode many inputs one by one; an exception takes the place of a result."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from tokharness.errors import SkippedTextError
from tokharness.model import decoded_text
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

# Whether encoding or decoding raises, and what.


def raising_stage(text: str, subject: Subject) -> tuple[str, BaseException] | None:
    """Return the stage that raises, ``encode`` or ``decode``, and its exception; or None."""
    ids = subject.target.encode(text)
    if isinstance(ids, Raised):
        return "encode", ids.error
    decoded = subject.target.decode(list(ids))
    return ("decode", decoded.error) if isinstance(decoded, Raised) else None


BATCH = "encode_batch"


def encode_all(texts: Sequence[str], subject: Subject, entry_point: str = "") -> list[Any]:
    """Ids of each text, or :class:`Raised`; without a name, from the entry point for plain text.

    The result of ``encode_with_offsets`` is reduced to its ids.
    """
    if entry_point:
        return _encode_with(entry_point, texts, subject)
    return subject.target.call_each(subject.target.entry_point, texts)


def _encode_with(entry_point: str, texts: Sequence[str], subject: Subject) -> list[Any]:
    if entry_point == BATCH:
        return _encode_in_batch(texts, subject)
    if entry_point == "encode_bytes":
        return [subject.target.call(entry_point, _as_bytes(text)) for text in texts]
    results = subject.target.call_each(entry_point, texts)
    return list(map(_ids_of, results)) if entry_point == "encode_with_offsets" else results


def _encode_in_batch(texts: Sequence[str], subject: Subject) -> list[Any]:
    """Ids of each text in one batch; if that raises, in a batch for each text."""
    rows = subject.target.call(BATCH, list(texts))
    if isinstance(rows, Raised) and len(texts) > 1:
        return [row for text in texts for row in _encode_in_batch([text], subject)]
    if isinstance(rows, Raised):
        return [rows] * len(texts)
    if len(rows) != len(texts):  # such as all ids in a list, and where each text's begin
        error = TypeError(f"{BATCH} gives {len(rows)} rows of ids for {len(texts)} texts")
        return [Raised(error)] * len(texts)
    return rows  # type: ignore[no-any-return]


def decode_all(sequences: Sequence[Sequence[int]], subject: Subject) -> list[Any]:
    """Text that each sequence of ids decodes to, or :class:`Raised`."""
    results = subject.target.call_each("decode", sequences)
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
    """Whether a call was skipped: its text resembles a text that crashes or hangs the target."""
    return isinstance(result, Raised) and isinstance(result.error, SkippedTextError)


def _as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _ids_of(result: Any) -> Any:
    """Return the ids of a result of ``encode_with_offsets``."""
    if isinstance(result, Raised):
        return result
    first = result[0] if isinstance(result, tuple | list) and result else []
    if not isinstance(first, list):
        return Raised(TypeError("encode_with_offsets does not give ids and spans"))
    return first
