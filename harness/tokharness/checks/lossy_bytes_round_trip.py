r"""Bytes that are encoded and decoded do not come back unchanged.

Why it matters: files, network streams and corpora are not all UTF-8, and a tokenizer that accepts
bytes promises to keep them. A byte that becomes U+FFFD is lost for good, and a corpus with such
bytes teaches a model to write U+FFFD.

Oracle: invariant of one target that has ``encode_bytes`` and ``decode_bytes``. All bytes come back
unchanged, or in the declared form if the target normalizes; and the UTF-8 of a text has the ids of
the text.

How it works: the check takes the bytes of each text. The lone surrogates U+DC80 to U+DCFF in a text
stand for bytes that are not valid UTF-8.

Verdicts: *bug*; the cause says what the bytes become. *Fact*, reported once, if invalid UTF-8
is refused with an ordinary exception. If the UTF-8 of a text does not get the ids of the text, the
cause is *entry points*.

Example: bytes that are decoded with ``errors="replace"`` before they are encoded::

    TOK111 bug  invalid UTF-8: U+FFFD   "\u{dc80}"

What to do: encode the bytes themselves, or raise an ordinary exception for invalid UTF-8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.boundary.opaque import type_name
from tokharness.checks.special_id_from_plain_text import has_special_id
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.entry_points.bos_eos import allowed_ids
from tokharness.diagnosis.entry_points.contracts import entry_point_cause
from tokharness.diagnosis.ids.token_bytes import text_ids
from tokharness.diagnosis.state import STATE
from tokharness.errors import TargetDeath
from tokharness.model import Batch, Cause, Verdict
from tokharness.outcome import Raised, call
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

CODE = "TOK111"
NAME = "lossy-bytes-round-trip"
REQUIRES = ("encode_bytes", "decode_bytes")
COLUMNS = ("decoded",)

__all__ = ["CODE", "COLUMNS", "NAME", "REQUIRES", "diagnose", "failing"]

BYTE = range(0xDC80, 0xDD00)


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose bytes do not come back, or have different ids than the text."""
    # Rows without ids too: encode may refuse a text that stands for invalid UTF-8.
    tokenizer = subject.target.tokenizer
    failing_rows = []
    for row in batch.rechecked_rows:
        text = batch.texts[row]
        try:
            data = text.encode()
        except UnicodeEncodeError:
            failing_rows += [row] if _causes(text, None, None, subject) else []
            continue
        ids_of_bytes = call(tokenizer.encode_bytes, data)
        same = ids_of_bytes == batch.ids[row]
        passes = same and _is_unchanged(_decode(ids_of_bytes, subject), text, data, subject)
        if not passes and _causes(text, batch.ids[row], batch.decoded[row], subject):
            failing_rows.append(row)
    return failing_rows


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the causes for what the bytes of this text become."""
    ids = subject.try_encode(text)
    decoded = None if ids is None else call(subject.target.decode, ids)
    causes = _causes(text, ids, decoded, subject)
    return [STATE] if causes and not _causes(text, ids, decoded, subject) else causes


def _causes(text: str, ids: list[int] | None, decoded: Any, subject: Subject) -> list[Cause]:
    """Causes for what comes back; for invalid UTF-8 ``ids`` and ``decoded`` are not used."""
    data = _bytes_of_text(text)
    if data is None or data.decode("utf-8", "surrogateescape") != text:
        return []  # the bytes of its surrogates, joined, are valid UTF-8
    tokenizer = subject.target.tokenizer
    encoded = call(tokenizer.encode_bytes, data)
    if isinstance(encoded, Raised):
        return _exception_causes(encoded.error, text, ids)
    decoded_bytes = _decode(encoded, subject)
    if not is_scalar(text):
        return _invalid_utf8_causes(text, data, decoded_bytes, subject)
    if ids is None or decoded != subject.expected_text(text) or has_special_id(ids, subject):
        return []  # other checks report a text that raises or is lost
    causes = []
    allowed = allowed_ids(text, ids, "encode_bytes", subject)
    if text_ids(encoded, subject) not in (text_ids(ids, subject) for ids in allowed):
        message = "the bytes of a text have different ids than the text"
        causes.append(entry_point_cause("encode_bytes", message))
    if not _is_unchanged(decoded_bytes, text, data, subject):
        own = without_affixes(encoded, subject, "encode_bytes")
        inside = _decode(text_ids(own, subject), subject)
        if not _is_unchanged(inside, text, data, subject):
            causes.append(_change_cause(data, decoded_bytes, "bytes"))
    return causes


def _decode(ids: list[int], subject: Subject) -> Any:
    """What ``decode_bytes`` returns, or what it raises."""
    return call(subject.target.tokenizer.decode_bytes, ids)


def _bytes_of_text(text: str) -> bytes | None:
    """Bytes that a text stands for; None if a surrogate in it does not stand for a byte."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None


def _exception_causes(error: BaseException, text: str, ids: list[int] | None) -> list[Cause]:
    """Causes for an exception of ``encode_bytes``."""
    name = type(error).__name__
    if not isinstance(error, Exception) or isinstance(error, TargetDeath | MemoryError):
        message = f"encode_bytes panics with {name}"
        return [Cause("panics", (("in", "encode_bytes"), ("type", name)), message=message)]
    if not is_scalar(text):
        message = f"encode_bytes refuses invalid UTF-8 with {name}"
        return [Cause("refuses invalid UTF-8", (("raise", name),), Verdict.FACT, message)]
    message = f"encode_bytes raises {name} on the bytes of a text that encode accepts"
    return [] if ids is None else [entry_point_cause("encode_bytes", message)]


def _invalid_utf8_causes(
    text: str, data: bytes, decoded_bytes: Any, subject: Subject
) -> list[Cause]:
    """Causes for invalid UTF-8, if the valid rest of it comes back as a text."""
    if _is_unchanged(decoded_bytes, text, data, subject):
        return []
    plain = "".join(c for c in text if ord(c) not in BYTE)
    ids = subject.try_encode(plain)
    if plain and (ids is None or call(subject.target.decode, ids) != subject.expected_text(plain)):
        return []
    # If the valid rest alone has different ids than its text, invalid UTF-8 is not the cause.
    causes = _causes(plain, ids, subject.expected_text(plain), subject) if plain else []
    if entry_point_cause("encode_bytes") in causes:
        return causes
    return [_change_cause(data, decoded_bytes, "invalid UTF-8")]


def _is_unchanged(decoded: Any, text: str, data: bytes, subject: Subject) -> bool:
    """Whether the bytes came back, or their declared form."""
    return decoded in (data, _bytes_of_text(subject.expected_text(text)))


def _change_cause(data: bytes, decoded: Any, kind: str) -> Cause:
    """Cause that names what the bytes become."""
    if isinstance(decoded, Raised):
        name = type(decoded.error).__name__
        return _cause(kind, f"decode_bytes raises {name}", f"decode_bytes raises {name}")
    if not isinstance(decoded, bytes):
        name = type_name(decoded)
        return _cause(kind, f"a {name}", f"decode_bytes returns {name}, not bytes")
    if kind != "bytes" and decoded == data.decode("utf-8", "replace").encode():
        return _cause(kind, "U+FFFD", "invalid UTF-8 comes back as U+FFFD")
    if kind != "bytes" and decoded == data.decode("utf-8", "ignore").encode():
        return _cause(kind, "nothing", "invalid UTF-8 is dropped")
    if decoded == data.decode("latin-1").encode():
        return _cause(kind, "letters of Latin-1", "bytes are read as Latin-1")
    if decoded == data.decode("utf-8", "surrogateescape").encode("utf-8", "surrogatepass"):
        return _cause(kind, "surrogates", "invalid UTF-8 comes back as surrogates")
    return _cause(kind, "other bytes", "bytes come back changed")


def _cause(kind: str, result: str, message: str) -> Cause:
    return Cause(kind, (("become", result),), message=message)
