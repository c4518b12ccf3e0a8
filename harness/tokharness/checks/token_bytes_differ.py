"""The bytes of a text's tokens, joined, are not the bytes of the text.

Why it matters: streaming, constrained decoding, stop sequences, log probabilities by byte and tools
that show tokens use the bytes of tokens. If a target returns the letters of its vocabulary file
instead, a mark for the space, or U+FFFD for each part of a character, a grammar masks the wrong
tokens and a user sees broken text, while plain ``decode`` passes every test.

Oracle: invariant of one target. If ``decode`` gives a text back, or its declared normal form, the
bytes that ``decode_single_token_bytes`` gives for its ids, joined, are the UTF-8 of that text. If
there is a ``decode_bytes``, it gives the same bytes. Special tokens, and ids that every text gets,
do not stand for text and are left out.

Verdicts: *bug*. The cause names the difference: a mark for a space, the letters of a byte-level
vocabulary, ``<0x0A>`` for a byte, U+FFFD for a part of a character, a token without bytes. A space
before every text that ``decode`` removes again, and white space that a target with a declared
normalizer does not keep in its tokens, are *by design*.

Example: tokens as they are written in the vocabulary file::

    TOK106 bug  token bytes: U+0120 for a space   " "

What to do: return the bytes that a token stands for, not the letters of the vocabulary file.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.boundary.exceptions import type_name
from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.entry_points.affixes import affix_ids
from tokharness.diagnosis.entry_points.contracts import entry_point_cause
from tokharness.diagnosis.ids.byte_changes import byte_changes
from tokharness.diagnosis.ids.token_texts import text_ids, token_bytes
from tokharness.diagnosis.special.special_ids import has_special_id
from tokharness.diagnosis.state import state_cause
from tokharness.diagnosis.vocabulary.shared_ids import shared_id_causes
from tokharness.model import Batch, Cause, Verdict
from tokharness.outcome import Raised, call
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

CODE = "TOK106"
NAME = "token-bytes-differ"
REQUIRES = ("decode_single_token_bytes",)
COLUMNS = ("decoded",)

__all__ = ["CODE", "COLUMNS", "NAME", "REQUIRES", "diagnose", "evidence", "failing"]

KIND = "token bytes"

PREFIX = Cause(
    KIND,
    (("differ", "space before the text"),),
    Verdict.FACT,
    "the first token's bytes begin with a space that decoding removes again",
)


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose token bytes, or whose ``decode_bytes``, differ from the decoded text."""
    rows = [row for row in batch.sampled_rows if batch.decoded[row] is not None]
    all_ids = [batch.ids[row] or [] for row in rows]
    decoded = [batch.decoded[row] or "" for row in rows]
    if not any(affix_ids(subject)) and _all_agree(all_ids, decoded, subject):
        return []
    return [
        row
        for row, ids, text in zip(rows, all_ids, decoded, strict=True)
        if is_scalar(batch.texts[row])
        and not _agrees(ids, text, subject)
        and text == subject.expected_text(batch.texts[row])  # TOK101 reports lost text
        and not has_special_id(ids, subject)
    ]


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the causes for differences between the bytes of this text's tokens and the text."""
    round_trip = subject.round_trip(text)
    if round_trip is None:  # another check reports exceptions
        return []
    ids, decoded = round_trip
    if (
        not is_scalar(text)
        or decoded != subject.expected_text(text)
        or has_special_id(ids, subject)
        or _agrees(ids, decoded, subject)
    ):
        return []
    if subject.encode(text) != ids:
        return [state_cause(subject)]
    if causes := shared_id_causes(ids, subject):
        return causes
    joined, whole = _joined_and_whole(ids, subject)
    wanted = decoded.encode()
    causes = [] if joined == wanted else _causes(ids, joined or b"", wanted, subject)
    return causes if whole in (joined, wanted) else [*causes, _decode_bytes_cause(whole)]


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return the bytes of a text's tokens, or of ``decode_bytes``, and the bytes of the text."""
    round_trip = subject.round_trip(text)
    if round_trip is None or cause.verdict is Verdict.FACT:
        return {}
    ids, decoded = round_trip
    joined, whole = _joined_and_whole(ids, subject)
    wanted = decoded.encode("utf-8", "surrogatepass")
    if cause.kind == KIND:
        faults = [f for number in ids if (f := token_bytes(subject).faults.get(number))]
        given = faults[0] if faults else joined
        return compared_call("decode_single_token_bytes", given, wanted, subject)
    return compared_call("decode_bytes", whole, wanted, subject)


def _all_agree(all_ids: Sequence[list[int]], decoded: Sequence[str], subject: Subject) -> bool:
    """Whether all rows agree, with a few calls for all of them."""
    table = token_bytes(subject)
    wanted = "".join(decoded).encode("utf-8", "surrogatepass")
    try:
        table.prefetch(chain.from_iterable(all_ids))
        joined = b"".join(map(table.__getitem__, chain.from_iterable(all_ids)))
    except TypeError:  # invalid ids
        return False
    if not subject.target.can("decode_bytes"):
        return joined == wanted
    pieces = [subject.target.call("decode_bytes", ids) for ids in all_ids]
    return bool(joined == wanted == call(b"".join, pieces))


def _agrees(ids: list[int], decoded: str, subject: Subject) -> bool:
    wanted = decoded.encode("utf-8", "surrogatepass")
    joined, whole = _joined_and_whole(ids, subject)
    return joined is None or joined == wanted == whole or (joined == wanted and whole is None)


def _joined_and_whole(ids: list[int], subject: Subject) -> tuple[bytes | None, object]:
    """Bytes of the tokens, joined, and what ``decode_bytes`` gives; None for invalid ids."""
    table = token_bytes(subject)
    try:
        inside = text_ids(ids, subject)
        table.prefetch(inside)
        joined = b"".join(map(table.__getitem__, inside))
    except TypeError:
        return None, None
    if not subject.target.can("decode_bytes"):
        return joined, joined
    return joined, subject.target.call("decode_bytes", inside)


def _causes(ids: list[int], joined: bytes, wanted: bytes, subject: Subject) -> list[Cause]:
    faults = token_bytes(subject).faults
    faults_of_text = dict.fromkeys(faults[number] for number in ids if number in faults)
    if faults_of_text:
        return [_cause(fault, f"decode_single_token_bytes {fault}") for fault in faults_of_text]
    if joined == b" " + wanted:
        return [PREFIX]
    normalizes = subject.target.normalizer is not None
    return [
        _cause(name, message, Verdict.FACT if normalizes and "white space" in name else None)
        for name, message in byte_changes(wanted, joined)
    ]


def _cause(difference: str, message: str, verdict: Verdict | None = None) -> Cause:
    return Cause(KIND, (("differ", difference),), verdict or Verdict.BUG, message)


def _decode_bytes_cause(whole: object) -> Cause:
    message = "decode_bytes does not give the text that decode gives for the same ids"
    if isinstance(whole, Raised):
        name = type(whole.error).__name__
        message = f"decode_bytes raises {name} on ids that decode accepts"
    elif not isinstance(whole, bytes):
        message = f"decode_bytes returns {type_name(whole)}, not bytes"
    return entry_point_cause("decode_bytes", message)
