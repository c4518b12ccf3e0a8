r"""Bytes that are encoded and decoded do not come back unchanged.

Why it matters: files, network streams and corpora are not all UTF-8, and a tokenizer that accepts
bytes promises to keep them. A byte that becomes U+FFFD is lost for good, and a corpus with such
bytes teaches a model to write U+FFFD.

Oracle: invariant of one target that has ``encode_bytes``. The UTF-8 of a text gets the ids of the
text. ``decode_bytes`` returns all bytes unchanged, or in the declared form if the target
normalizes. Without ``decode_bytes``, bytes that are not UTF-8 do not get the ids of a text, and
``decode`` gives U+FFFD in their place. If ``--against`` names a reference with ``encode_bytes``,
all bytes get the same ids there.

How it works: the check takes the bytes of each text. The lone surrogates U+DC80 to U+DCFF in a text
stand for bytes that are not valid UTF-8.

Verdicts: *bug*; the cause says what the bytes become. *Risk* if invalid UTF-8 comes back unchanged
but its ids differ from the named reference's, since no standard says where such bytes are split.
*Fact*, reported once, if invalid UTF-8 is refused with an ordinary exception. If the UTF-8 of a
text does not get the ids of the text, the cause is *entry points*.

Example: bytes that are decoded with ``errors="replace"`` before they are encoded::

    TOK111 bug  invalid UTF-8: U+FFFD   "\u{dc80}"

What to do: encode the bytes themselves, or raise an ordinary exception for invalid UTF-8.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tokharness.boundary.exceptions import type_name
from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.entry_points.bos_eos import allowed_ids
from tokharness.diagnosis.entry_points.contracts import entry_point_cause
from tokharness.diagnosis.ids.token_texts import text_ids
from tokharness.diagnosis.probes.id_sequences import is_utf8
from tokharness.diagnosis.special.special_ids import has_special_id
from tokharness.diagnosis.state import state_cause
from tokharness.errors import SkippedTextError, TargetDeath
from tokharness.model import Batch, Cause, Verdict
from tokharness.outcome import Raised
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

__all__ = ["CODE", "COLUMNS", "NAME", "REQUIRES", "diagnose", "evidence", "failing"]


# What the ids of bytes show without ``decode_bytes``, compared with ids of texts and a reference's
# ids.

RUN = re.compile("\ufffd+")
NOT_RAISED = (TargetDeath, MemoryError, SkippedTextError)

READINGS = {"U+FFFD": ("utf-8", "replace"), "nothing": ("utf-8", "ignore")}
READINGS["letters of Latin-1"] = ("latin-1", "strict")
"""Texts that bytes may be taken for, each with its codec and the codec's error handler."""


def becomes_text(data: bytes, ids: list[Any], subject: Subject) -> str:
    """Name of the text that invalid UTF-8 is taken for, since it has the text's ids; "" for none.

    Otherwise ``decode`` must show the bytes as U+FFFD or as surrogates, or leave them out, which
    TOK112 reports.
    """
    own = without_affixes(ids, subject, "encode_bytes")
    for name, (codec, errors) in READINGS.items():
        text = data.decode(codec, errors)
        of_text = subject.encode(text)
        if text and of_text is not None and without_affixes(of_text, subject) == own:
            return name
    decoded = subject.decode(ids)
    shown = (data.decode("utf-8", errors) for errors in ("replace", "ignore", "surrogateescape"))
    expected = {_once(subject.expected_text(text)) for text in shown}
    return "" if decoded is None or _once(decoded) in expected else "another text"


def reference_causes(data: bytes, encoded: Any, subject: Subject) -> list[Cause]:
    """Cause of bytes whose ids differ from the ids of a reference that the user named.

    ``encoded`` is what ``encode_bytes`` of the target gives, or Raised.
    """
    reference = subject.reference
    if not subject.claims_parity or reference is None or not reference.can("encode_bytes"):
        return []
    normalizes = subject.target.normalizer is not None
    if normalizes and not is_utf8(data):
        return []  # its normalizer declares nothing about bytes that are not text
    expected = subject.expected_text(data.decode()).encode() if normalizes else data
    wanted = reference.call("encode_bytes", expected)
    raised = [side for side in (encoded, wanted) if isinstance(side, Raised)]
    if any(isinstance(side.error, NOT_RAISED) for side in raised):
        return []
    if len(raised) == 2 or encoded == wanted or _has_text_that_differs(data, subject):
        return []
    how, verdict = "other ids", Verdict.BUG
    message = "encode_bytes treats bytes differently than that of the reference"
    if raised:
        how = "refused by the reference only" if wanted is raised[0] else "refused"
    elif not is_utf8(data) and _keeps(data, encoded, subject.target):
        # No standard says where bytes that are not text are split.
        verdict = Verdict.RISK
        message = "encode_bytes gives bytes that are not UTF-8 other ids than the reference's does"
    return [Cause("bytes", (("than the reference", how),), verdict, message)]


def _keeps(data: bytes, ids: Sequence[Any], target: Target) -> bool:
    """Whether ids stand for these bytes, as far as the target shows the bytes of ids."""
    if target.can("decode_bytes"):
        return bool(target.call("decode_bytes", ids) == data)
    if target.can("decode_single_token_bytes"):
        pieces = target.call_each("decode_single_token_bytes", ids)
        return all(isinstance(piece, bytes) for piece in pieces) and b"".join(pieces) == data
    return False


def _has_text_that_differs(data: bytes, subject: Subject) -> bool:
    """Whether the bytes are a text whose ids differ from the reference's, which TOK201 reports."""
    if not is_utf8(data):
        return False
    text = data.decode()
    return subject.encode(text) != subject.reference_ids(text)


def _once(text: str) -> str:
    return RUN.sub("\ufffd", text)


CODE = "TOK111"
NAME = "lossy-bytes-round-trip"
REQUIRES = ("encode_bytes",)
COLUMNS = ("decoded",)

BYTE = range(0xDC80, 0xDD00)


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose bytes do not come back, or have different ids than the text."""
    # Rows without ids are included: encode may refuse a text that stands for invalid UTF-8.
    failing_rows = []
    for row in batch.rechecked_rows:
        text = batch.texts[row]
        try:
            data = text.encode()
        except UnicodeEncodeError:
            failing_rows += [row] if _causes(text, None, None, subject) else []
            continue
        ids_of_bytes = subject.target.call("encode_bytes", data)
        same = ids_of_bytes == batch.ids[row]
        passes = same and _comes_back(ids_of_bytes, text, data, subject)
        passes = passes and not reference_causes(data, ids_of_bytes, subject)
        if not passes and _causes(text, batch.ids[row], batch.decoded[row], subject):
            failing_rows.append(row)
    return failing_rows


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the causes for what the bytes of this text become."""
    ids = subject.encode(text)
    decoded = None if ids is None else subject.decode(ids)
    causes = _causes(text, ids, decoded, subject)
    return [state_cause(subject)] if causes and not _causes(text, ids, decoded, subject) else causes


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return the ids of the bytes of a text, or what they decode to, and what is expected."""
    data = _bytes_of_text(text)
    if data is None or cause.verdict is Verdict.FACT:
        return {}
    encoded, expected = subject.target.call("encode_bytes", data), subject.encode(text)
    if isinstance(encoded, Raised) or (is_scalar(text) and encoded != expected):
        wanted = "ids" if expected is None else expected
        return compared_call("encode_bytes", encoded, wanted, subject)
    if subject.target.can("decode_bytes"):
        return compared_call("decode_bytes", _decode(encoded, subject), data, subject)
    return compared_call("decode", subject.target.decode(encoded), data, subject)


def _causes(text: str, ids: list[int] | None, decoded: Any, subject: Subject) -> list[Cause]:
    """Causes for changed bytes; for invalid UTF-8, ``ids`` and ``decoded`` are not used."""
    data = _bytes_of_text(text)
    if data is None or data.decode("utf-8", "surrogateescape") != text:
        return []  # the bytes of its surrogates, joined, are valid UTF-8
    encoded = subject.target.call("encode_bytes", data)
    if isinstance(encoded, Raised):
        causes = _exception_causes(encoded.error, text, ids)
        if any(cause.verdict is Verdict.BUG for cause in causes):
            return causes
        return reference_causes(data, encoded, subject) or causes
    if not is_scalar(text):
        causes = _invalid_utf8_causes(text, data, encoded, subject)
        return causes or reference_causes(data, encoded, subject)
    if ids is None or decoded != subject.expected_text(text) or has_special_id(ids, subject):
        return []  # other checks report a text that raises or is lost
    causes = []
    allowed = allowed_ids(text, ids, "encode_bytes", subject)
    if text_ids(encoded, subject) not in (text_ids(ids, subject) for ids in allowed):
        message = "the bytes of a text have different ids than the text"
        causes.append(entry_point_cause("encode_bytes", message))
    if not _comes_back(encoded, text, data, subject):
        own = without_affixes(encoded, subject, "encode_bytes")
        if not _comes_back(text_ids(own, subject), text, data, subject):
            causes.append(_change_cause(data, _decode(encoded, subject), "bytes"))
    return causes or reference_causes(data, encoded, subject)


def _comes_back(ids: list[int], text: str, data: bytes, subject: Subject) -> bool:
    """Whether ``decode_bytes``, if the target has it, gives the bytes, or their declared form."""
    if not subject.target.can("decode_bytes"):
        return True  # the ids are compared, and TOK101 compares the text
    return _decode(ids, subject) in (data, _bytes_of_text(subject.expected_text(text)))


def _decode(ids: list[int], subject: Subject) -> Any:
    """What ``decode_bytes`` returns, or what it raises."""
    return subject.target.call("decode_bytes", ids)


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
    text: str, data: bytes, encoded: list[int], subject: Subject
) -> list[Cause]:
    """Causes for invalid UTF-8, if the valid rest of it comes back as a text."""
    has_bytes = subject.target.can("decode_bytes")
    become = "" if has_bytes else becomes_text(data, encoded, subject)
    if not become and _comes_back(encoded, text, data, subject):
        return []
    plain = "".join(c for c in text if ord(c) not in BYTE)
    ids = subject.encode(plain)
    if plain and (ids is None or subject.decode(ids) != subject.expected_text(plain)):
        return []
    # If the valid rest alone has different ids than its text, invalid UTF-8 is not the cause.
    causes = _causes(plain, ids, subject.expected_text(plain), subject) if plain else []
    if entry_point_cause("encode_bytes") in causes:
        return causes
    if become:
        return [_cause("invalid UTF-8", become, f"bytes that are not UTF-8 become {become}")]
    return [_change_cause(data, _decode(encoded, subject), "invalid UTF-8")]


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
