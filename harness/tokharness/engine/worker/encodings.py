"""What a target makes of some texts, as a report draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.calls import decoded_each, encoded_each, in_numbers, is_not_tried
from tokharness.errors import TargetDeath
from tokharness.outcome import Raised, called

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = ["Encoding", "encodings"]

Encoding = dict[str, Any]

NOT_TRIED = "not tried: close to what ends the process"


def encodings(texts: Sequence[str], subject: Subject) -> list[Encoding]:
    """Ids of each text, their bytes as hex, and the text that comes back.

    Keys: ``text``; ``ids``; ``bytes``, hex for each id, null where nobody can tell them; ``back``,
    null where the text comes back as it is; ``error``, the name of what was raised or how the
    process ended, and then ``ids``, or ``back`` if it was decoding that raised, is null.
    """
    rows = encoded_each(texts, subject)
    whole = [row for row in rows if not isinstance(row, Raised)]
    decoded = iter(decoded_each(whole, subject))
    return [
        _raised(text, row) if isinstance(row, Raised) else _encoding(text, row, decoded, subject)
        for text, row in zip(texts, rows, strict=True)
    ]


def _bytes(text: str, ids: list[Any], subject: Subject) -> list[bytes] | None:
    """Bytes of each token; where nobody tells them what each decodes to, if that makes the text."""
    told = called(subject.token_bytes, ids)
    if not isinstance(told, Raised):
        return [bytes(one) for one in told]
    known: dict[Any, Any] = subject.remember("text of each id", dict)
    new = [number for number in dict.fromkeys(ids) if number not in known]
    known.update(zip(new, decoded_each([[number] for number in new], subject), strict=True))
    pieces = [known[number] for number in ids]
    if any(isinstance(one, Raised) for one in pieces) or "".join(pieces) != text:
        return None
    return [one.encode("utf-8", "surrogatepass") for one in pieces]


def _raised(text: str, raised: Raised) -> Encoding:
    return {"text": text, "ids": None, "bytes": None, "back": None, "error": _error(raised)}


def _error(raised: Raised) -> str:
    if is_not_tried(raised):
        return NOT_TRIED
    return (
        raised.error.how if isinstance(raised.error, TargetDeath) else type(raised.error).__name__
    )


def _encoding(text: str, ids: list[Any], decoded: Any, subject: Subject) -> Encoding:
    back, data = next(decoded), _bytes(text, ids, subject)
    failed = isinstance(back, Raised)
    return {
        "text": text,
        "ids": in_numbers(ids),
        "bytes": None if data is None else [one.hex() for one in data],
        "back": None if failed or back == text else back,
        "error": _error(back) if failed else None,
    }
