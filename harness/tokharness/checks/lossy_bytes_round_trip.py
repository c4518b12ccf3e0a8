r"""Bytes that are encoded and decoded do not come back unchanged.

Why it matters: files, network streams and corpora are not all UTF-8, and a tokenizer that accepts
bytes promises to keep them. A byte that becomes U+FFFD is lost for good, and a corpus with such
bytes teaches a model to write U+FFFD.

Oracle: invariant of one target that has ``encode_bytes`` and ``decode_bytes``. All bytes come back
unchanged, or in the declared form if the target normalizes; and the UTF-8 of a text has the ids of
the text.

How it works: the check takes the bytes of each text. The lone surrogates U+DC80 to U+DCFF in a text
stand for bytes that are not valid UTF-8.

Verdicts: *bug*; the cause says what the bytes become. *By design*, reported once, if invalid UTF-8
is refused with an ordinary exception. If the bytes of a text get other ids than the text, the cause
is *entry points*.

Example: bytes that are decoded with ``errors="replace"`` before they are encoded::

    TOK111 bug  invalid UTF-8: U+FFFD   "\u{dc80}"

What to do: encode the bytes themselves, or raise an ordinary exception for invalid UTF-8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.checks.special_id_from_plain_text import has_special_id
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.entry_points.bos_eos import allowed_ids
from tokharness.diagnosis.entry_points.contracts import entry_point_cause
from tokharness.diagnosis.ids.token_bytes import text_ids
from tokharness.diagnosis.state import STATE
from tokharness.errors import TargetDeath
from tokharness.model import Batch, Cause, Verdict
from tokharness.outcome import Raised, called
from tokharness.targets.subject import as_ids, is_scalar, listed

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

CODE = "TOK111"
NAME = "lossy-bytes-round-trip"
REQUIRES = ("encode_bytes", "decode_bytes")
COLUMNS = ("decoded",)

__all__ = ["CODE", "COLUMNS", "NAME", "REQUIRES", "diagnose", "failing"]

BYTE = range(0xDC80, 0xDD00)


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose bytes do not come back, or have other ids than the text."""
    # Not only those with ids: a text that stands for no UTF-8 may be refused as a text.
    rows = range(0, len(batch.texts), batch.step) if batch.step else ()
    tokenizer = subject.target.tokenizer
    found = []
    for row in rows:
        text = batch.texts[row]
        try:
            data = text.encode()
        except UnicodeEncodeError:
            found += [row] if _causes(text, None, None, subject) else []
            continue
        given = called(lambda: listed(tokenizer.encode_bytes(data)))  # noqa: B023
        same = called(as_ids, given) == batch.ids[row]
        fits = same and _is_back(_bytes_of(given, subject), text, data, subject)
        if not fits and _causes(text, batch.ids[row], batch.decoded[row], subject):
            found.append(row)
    return found


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """What became of the bytes of this text."""
    ids = subject.try_encode(text)
    decoded = None if ids is None else called(subject.target.decode, ids)
    found = _causes(text, ids, decoded, subject)
    return [STATE] if found and not _causes(text, ids, decoded, subject) else found


def _causes(text: str, ids: list[int] | None, decoded: Any, subject: Subject) -> list[Cause]:
    """Causes for what comes back; the ids and the decoded text of invalid UTF-8 are not read."""
    data = _data(text)
    if data is None or data.decode("utf-8", "surrogateescape") != text:
        return []  # what its surrogates stand for is text, joined
    tokenizer = subject.target.tokenizer
    given = called(lambda: listed(tokenizer.encode_bytes(data)))
    if isinstance(given, Raised):
        return _of_raised(given.error, text, ids)
    back = _bytes_of(given, subject)
    if not is_scalar(text):
        return _of_other_bytes(text, data, back, subject)
    if ids is None or decoded != subject.expected(text) or has_special_id(ids, subject):
        return []  # what raises or is lost as a text other checks tell
    found = []
    numbers = as_ids(given)
    wanted = allowed_ids(text, ids, "encode_bytes", subject)
    if text_ids(numbers, subject) not in (text_ids(o, subject) for o in wanted):
        message = "the bytes of a text have other ids than the text"
        found.append(entry_point_cause("encode_bytes", message))
    if not _is_back(back, text, data, subject):
        own = without_affixes(numbers, subject, "encode_bytes")
        inside = _bytes_of(text_ids(own, subject), subject)
        if not _is_back(inside, text, data, subject):
            found.append(_changed(data, back, "bytes"))
    return found


def _bytes_of(ids: list[int], subject: Subject) -> Any:
    """What ``decode_bytes`` gives for these, or raises; a bytearray as bytes."""
    back = called(subject.target.tokenizer.decode_bytes, ids)
    return bytes(back) if isinstance(back, bytearray) else back


def _data(text: str) -> bytes | None:
    """Bytes that a text stands for; None where a surrogate in it stands for none."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None


def _of_raised(error: BaseException, text: str, ids: list[int] | None) -> list[Cause]:
    name = type(error).__name__
    if not isinstance(error, Exception) or isinstance(error, TargetDeath | MemoryError):
        message = f"encode_bytes panics with {name}"
        return [Cause("panics", (("in", "encode_bytes"), ("type", name)), message=message)]
    if not is_scalar(text):
        message = f"encode_bytes refuses bytes that are no UTF-8 with {name}"
        return [Cause("refuses invalid UTF-8", (("raise", name),), Verdict.BY_DESIGN, message)]
    message = f"encode_bytes raises {name} on the bytes of a text that encode takes"
    return [] if ids is None else [entry_point_cause("encode_bytes", message)]


def _of_other_bytes(text: str, data: bytes, back: Any, subject: Subject) -> list[Cause]:
    """Causes for bytes that are no UTF-8, if what is text among them comes back as a text."""
    if _is_back(back, text, data, subject):
        return []
    plain = "".join(c for c in text if ord(c) not in BYTE)
    ids = subject.try_encode(plain)
    if plain and (ids is None or called(subject.target.decode, ids) != subject.expected(plain)):
        return []
    # Whatever else is in it, its bytes that are text have other ids than that text.
    of_text = _causes(plain, ids, subject.expected(plain), subject) if plain else []
    if entry_point_cause("encode_bytes") in of_text:
        return of_text
    return [_changed(data, back, "invalid UTF-8")]


def _is_back(back: Any, text: str, data: bytes, subject: Subject) -> bool:
    if not isinstance(back, bytes):  # what is not may be of no truth when it is compared
        return False
    return back == data or back == _data(subject.expected(text))


def _changed(data: bytes, back: Any, kind: str) -> Cause:
    if isinstance(back, Raised):
        name = type(back.error).__name__
        return _named(kind, f"decode_bytes raises {name}", f"decode_bytes raises {name}")
    if not isinstance(back, bytes):
        name = type(back).__name__
        return _named(kind, f"a {name}", f"decode_bytes gives a {name}, not bytes")
    if kind != "bytes" and back == data.decode("utf-8", "replace").encode():
        return _named(kind, "U+FFFD", "bytes that are no UTF-8 come back as U+FFFD")
    if kind != "bytes" and back == data.decode("utf-8", "ignore").encode():
        return _named(kind, "nothing", "bytes that are no UTF-8 are dropped")
    if back == data.decode("latin-1").encode():
        return _named(kind, "letters of Latin-1", "bytes are read as Latin-1")
    if back == data.decode("utf-8", "surrogateescape").encode("utf-8", "surrogatepass"):
        return _named(kind, "surrogates", "bytes that are no UTF-8 come back as surrogates")
    return _named(kind, "other bytes", "bytes come back as others")


def _named(kind: str, what: str, message: str) -> Cause:
    return Cause(kind, (("become", what),), message=message)
