"""Encodings of single texts, as a report shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.calls import decode_all, encode_all, reportable_ids, was_skipped
from tokharness.errors import TargetDeath
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = ["Encoding", "encodings"]

Encoding = dict[str, Any]

NOT_RUN = "not run: close to a text that crashes the process"


def encodings(texts: Sequence[str], subject: Subject) -> list[Encoding]:
    """Return the ids of each text, their bytes and the decoded text.

    Keys: ``text``; ``ids``; ``bytes``, hex for each id, or null if they are unknown;
    ``decoded_if_different``, the decoded text, or null if it is equal to ``text``; ``error``, the
    name of the exception or how the process ended, else null. If encoding fails ``ids`` is null,
    if decoding fails ``decoded_if_different`` is.
    """
    rows = encode_all(texts, subject)
    decoded = iter(decode_all([row for row in rows if not isinstance(row, Raised)], subject))
    return [
        _raised(text, row) if isinstance(row, Raised) else _encoding(text, row, decoded, subject)
        for text, row in zip(texts, rows, strict=True)
    ]


def _bytes(text: str, ids: list[Any], subject: Subject) -> list[bytes] | None:
    """Bytes of each token, or else what each id decodes to if together that is the text."""
    token_bytes = subject.token_bytes(ids)
    if token_bytes is not None:
        return token_bytes
    known: dict[Any, Any] = subject.cache.get_or_compute("text of each id", dict)
    new = [number for number in dict.fromkeys(ids) if number not in known]
    known.update(zip(new, decode_all([[number] for number in new], subject), strict=True))
    pieces = [known[number] for number in ids]
    if any(isinstance(piece, Raised) for piece in pieces) or "".join(pieces) != text:
        return None
    return [piece.encode("utf-8", "surrogatepass") for piece in pieces]


def _raised(text: str, raised: Raised) -> Encoding:
    return {
        "text": text,
        "ids": None,
        "bytes": None,
        "decoded_if_different": None,
        "error": _error(raised),
    }


def _error(raised: Raised) -> str:
    if was_skipped(raised):
        return NOT_RUN
    error = raised.error
    return error.reason if isinstance(error, TargetDeath) else type(error).__name__


def _encoding(text: str, ids: list[Any], decoded: Any, subject: Subject) -> Encoding:
    back, data = next(decoded), _bytes(text, ids, subject)
    failed = isinstance(back, Raised)
    return {
        "text": text,
        "ids": reportable_ids(ids),
        "bytes": None if data is None else [token.hex() for token in data],
        "decoded_if_different": None if failed or back == text else back,
        "error": _error(back) if failed else None,
    }
