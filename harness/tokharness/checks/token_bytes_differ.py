"""The bytes of a text's tokens, joined, are not the bytes of the text.

Why it matters: streaming, constrained decoding, stop sequences, log probabilities by byte and every
tool that shows tokens are built on the bytes of tokens. If these are letters of a table, with a
mark for the space and U+FFFD for each part of a character, a grammar masks the wrong tokens and a
user sees broken text, while plain ``decode`` passes every test.

Oracle: invariant of one target. If ``decode`` gives a text back, or its declared normal form, the
bytes that ``decode_single_token_bytes`` gives for its ids, joined, are the UTF-8 of that text. If
there is a ``decode_bytes``, it gives the same bytes. Special tokens, and ids that every text gets,
do not stand for text and are left out.

Verdicts: *bug*. The cause names the difference: a mark for a space, the letters of a byte-level
vocabulary, ``<0x0A>`` for a byte, U+FFFD for a part of a character, a token without bytes. *By
design* for a space before every text that ``decode`` removes again, and for white space that a
target with a declared normalizer does not keep in its tokens.

Example: tokens as they are written in the vocabulary file::

    TOK106 bug  token bytes: U+0120 for a space   " "

What to do: return the bytes that a token stands for, not the letters of the vocabulary file.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from tokharness.checks.special_id_from_plain_text import has_special_id
from tokharness.diagnosis.entry_points.affixes import affix_ids
from tokharness.diagnosis.entry_points.contracts import entry_point_cause
from tokharness.diagnosis.ids.byte_changes import byte_changes
from tokharness.diagnosis.ids.token_bytes import text_ids, token_bytes
from tokharness.diagnosis.state import STATE
from tokharness.model import Batch, Cause, Verdict
from tokharness.outcome import Raised, called
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

CODE = "TOK106"
NAME = "token-bytes-differ"
REQUIRES = ("decode_single_token_bytes",)
COLUMNS = ("decoded",)

__all__ = ["CODE", "COLUMNS", "NAME", "REQUIRES", "diagnose", "failing"]

PREFIX = Cause(
    "token bytes",
    (("differ", "space before the text"),),
    Verdict.BY_DESIGN,
    "the first token's bytes begin with a space that decoding takes away again",
)


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose tokens, or whose decoded bytes, are not what decode gives."""
    rows = [row for row in batch.sampled if batch.decoded[row] is not None]
    ids = [batch.ids[row] or [] for row in rows]
    decoded = [batch.decoded[row] or "" for row in rows]
    if not any(affix_ids(subject)) and _all_fit(ids, decoded, subject):
        return []
    return [
        row
        for row, one, text in zip(rows, ids, decoded, strict=True)
        if is_scalar(batch.texts[row])
        and not _fits(one, text, subject)
        and text == subject.expected(batch.texts[row])  # what is lost, TOK101 tells
        and not has_special_id(one, subject)
    ]


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """What differs between the text and the bytes of its tokens."""
    gone = subject.try_round_trip(text)
    if gone is None:  # what raises is another check's to tell
        return []
    ids, decoded = gone
    if (
        not is_scalar(text)
        or decoded != subject.expected(text)
        or has_special_id(ids, subject)
        or _fits(ids, decoded, subject)
    ):
        return []
    if subject.try_encode(text) != ids:
        return [STATE]
    joined, whole = _seen(ids, subject)
    wanted = decoded.encode()
    found = [] if joined == wanted else _causes(ids, joined or b"", wanted, subject)
    return found if whole in (joined, wanted) else [*found, _of_decode_bytes(whole)]


def _all_fit(ids: Sequence[list[int]], decoded: Sequence[str], subject: Subject) -> bool:
    """Whether all rows fit, in a few calls for all of them."""
    table = token_bytes(subject)
    wanted = "".join(decoded).encode("utf-8", "surrogatepass")
    try:
        table.ask(chain.from_iterable(ids))
        joined = b"".join(map(table.__getitem__, chain.from_iterable(ids)))
    except TypeError:  # ids that are none
        return False
    if not subject.target.can("decode_bytes"):
        return joined == wanted
    whole = called(b"".join, map(subject.target.tokenizer.decode_bytes, ids))
    return bool(joined == wanted == whole)


def _fits(ids: list[int], decoded: str, subject: Subject) -> bool:
    wanted = decoded.encode("utf-8", "surrogatepass")
    joined, whole = _seen(ids, subject)
    return joined is None or joined == wanted == whole or (joined == wanted and whole is None)


def _seen(ids: list[int], subject: Subject) -> tuple[bytes | None, object]:
    """Bytes of the tokens joined, and those of ``decode_bytes``; None for ids that are none."""
    table = token_bytes(subject)
    try:
        inside = text_ids(ids, subject)
        table.ask(inside)
        joined = b"".join(map(table.__getitem__, inside))
    except TypeError:
        return None, None
    if not subject.target.can("decode_bytes"):
        return joined, joined
    whole = called(subject.target.tokenizer.decode_bytes, inside)
    return joined, bytes(whole) if isinstance(whole, bytearray) else whole


def _causes(ids: list[int], joined: bytes, wanted: bytes, subject: Subject) -> list[Cause]:
    faults = token_bytes(subject).faults
    found = dict.fromkeys(faults[one] for one in ids if one in faults)
    if found:
        return [_cause(what, f"decode_single_token_bytes {what}") for what in found]
    if joined == b" " + wanted:
        return [PREFIX]
    normalizes = subject.target.normalizer is not None
    return [
        _cause(what, message, Verdict.BY_DESIGN if normalizes and "white space" in what else None)
        for what, message in byte_changes(wanted, joined)
    ]


def _cause(what: str, message: str, verdict: Verdict | None = None) -> Cause:
    return Cause("token bytes", (("differ", what),), verdict or Verdict.BUG, message)


def _of_decode_bytes(whole: object) -> Cause:
    message = "decode_bytes of a text's ids is not the text that decode gives"
    if isinstance(whole, Raised):
        message = f"decode_bytes raises {type(whole.error).__name__} where decode does not"
    elif not isinstance(whole, bytes):
        message = f"decode_bytes gives a {type(whole).__name__}, not bytes"
    return entry_point_cause("decode_bytes", message)
