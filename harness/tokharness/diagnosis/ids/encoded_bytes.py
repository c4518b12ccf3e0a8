"""What the ids of bytes show without ``decode_bytes``: by those of texts, and by a reference's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.id_sequences import is_utf8
from tokharness.errors import SkippedTextError, TargetDeath
from tokharness.model import Cause, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

__all__ = ["becomes_text", "reference_causes"]

RUN = re.compile("\ufffd+")
NOT_RAISED = (TargetDeath, MemoryError, SkippedTextError)

READINGS = {"U+FFFD": ("utf-8", "replace"), "nothing": ("utf-8", "ignore")}
READINGS["letters of Latin-1"] = ("latin-1", "strict")
"""Texts that bytes may be taken for, each with its codec and what that does with invalid bytes."""


def becomes_text(data: bytes, ids: list[Any], subject: Subject) -> str:
    """Text that invalid UTF-8 is taken for, since it has the ids of that text; "" for none.

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
    """Cause of bytes whose ids differ from those of a reference that the user named.

    ``encoded`` is what ``encode_bytes`` of the target gives, or Raised.
    """
    reference = subject.reference
    if not subject.claims_parity or reference is None or not reference.can("encode_bytes"):
        return []
    normalizes = subject.target.normalizer is not None
    if normalizes and not is_utf8(data):
        return []  # it declares nothing about bytes that are no text
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
        # No standard says where bytes that are no text are split.
        verdict = Verdict.RISK
        message = "encode_bytes gives bytes that are not UTF-8 other ids than the reference's does"
    return [Cause("bytes", (("than the reference", how),), verdict, message)]


def _keeps(data: bytes, ids: Sequence[Any], target: Target) -> bool:
    """Whether ids have these bytes, as far as the target shows it."""
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
