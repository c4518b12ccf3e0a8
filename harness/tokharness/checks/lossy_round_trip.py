r"""The decoded text is not the text that was encoded.

Why it matters: text that is lost before the model reads it cannot be filtered, quoted, counted or
generated. If a tokenizer drops invisible characters, a word that they split passes a filter and
reaches the model whole. An undeclared normal form gives two inputs the same ids, and offsets point
to the wrong place.

Oracle: invariant of one target. For a lossless tokenizer ``decode(encode(x)) == x``; for one that
declares a normalizer, the decoded text is exactly the declared form of ``x``. A target that
declares none may change a text as the reference declares that the user compares it with. If the
stages of the file are known, the decoded text goes through them again: if it has the pre-tokens of
``x``, the loss was before the model; otherwise it is the decoder's.

Verdicts: *bug*; the cause explains the change: a normal form, case folding, characters that are
dropped or replaced, the decoder (if the reference decodes the ids to the text that they stand for),
or the stage that gives the same ids when it is altered in the reference. A decoder of the file that
does not undo the stages before it is a bug, too: the tokens hold the text, and it does not come
back. *Risk* for white space that an added token takes, or that the pre-tokenizer is set to insert,
as by ``add_prefix_space``, and the decoder leaves. *Fact*, reported once, for changes by the
declared normalizer; for text that the pre-tokenizer removes, or makes equal to other text, so that
no decoder can give it back; and for text outside the vocabulary that becomes the unknown token. A
surrogate is not a character: a target may join pairs and replace each lone surrogate with U+FFFD,
which is by design and reported once. Any other text for a surrogate is a bug.

Example: a tokenizer that composes its input turns ``e\u0301`` into ``\u00e9``::

    TOK101 bug  normalizer: NFC   "e\u{301}"

What to do: remove the normalizer, or declare it as ``normalizer``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.entry_points.affixes import padding_id
from tokharness.diagnosis.probes.cache_collisions import earlier_text
from tokharness.diagnosis.special.special_ids import has_special_id, unknown_ids
from tokharness.diagnosis.text.round_trip import is_joined, round_trip_causes
from tokharness.model import Batch, Cause, Verdict
from tokharness.model.target import slice_without_padding
from tokharness.targets.subject import Subject, scalar_text

if TYPE_CHECKING:
    from typing import Any

CODE = "TOK101"
NAME = "lossy-round-trip"
COLUMNS = ("decoded",)

FACTS = 16
"""Rows of a batch, at most, that only show the same change by design.

If a target changes most texts as it declares, a sample of all rows would have few other rows.
"""

__all__ = ["CODE", "COLUMNS", "NAME", "diagnose", "evidence", "failing"]


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose text does not come back, or not in its declared form.

    A text that comes back unchanged is lost where the target itself declares a change.
    """
    texts = subject.target.all_as_sent(batch.texts)
    is_own = subject.target.normalizer is not None
    if batch.decoded == texts and not is_own:
        return []
    subject = subject.with_declared_normalizer()
    rows = [
        row
        for row, (text, decoded) in enumerate(zip(texts, batch.decoded, strict=True))
        if decoded != text
        and decoded is not None
        and not is_joined(text, decoded)
        and not has_special_id(batch.ids[row] or [], subject)  # TOK103 reports these
    ]
    unknown = [row for row in rows if _is_unknown_by_design(row, batch, subject)]
    declared: list[int] = []
    if is_own:
        pairs = enumerate(zip(texts, batch.decoded, strict=True))
        lost = {
            row
            for row, (text, decoded) in pairs
            if decoded is not None and not _is_declared(text, decoded, subject)
        }
        declared = [row for row in rows if row not in lost]
        rows = sorted(lost.union(rows))
    elif subject.target.normalizer is not None:
        declared = [row for row in rows if _is_as_the_reference_says(row, batch, subject)]
    kept = FACTS if batch.facts else 0
    surplus = {*unknown[kept:], *_different_first(declared, batch)[kept:]}
    return [row for row in rows if row not in surplus]


def _different_first(rows: list[int], batch: Batch) -> list[int]:
    """Return rows in an order in which rows that change in a new way come first."""
    ways: dict[object, int] = {}
    for row in rows:
        ways.setdefault(_way(batch.texts[row], batch.decoded[row] or ""), row)
    new = set(ways.values())
    return [*ways.values(), *(row for row in rows if row not in new)]


def _way(text: str, decoded: str) -> object:
    """Kinds of characters that a text loses and gets, and whether its start changes."""
    here, there = set(text), set(decoded)
    kinds = [frozenset(map(_kind, chars)) for chars in (here - there, there - here)]
    return *kinds, text[:1] == decoded[:1], text.count(" ") - decoded.count(" ")


def _kind(char: str) -> str:
    if char.isalnum():
        return "letter"
    return " " if char.isspace() else char if char.isascii() else "other"


def _is_as_the_reference_says(row: int, batch: Batch, subject: Subject) -> bool:
    """Whether a text comes back in the form that the reference declares, and gives it."""
    text, decoded = batch.texts[row], batch.decoded[row] or ""
    ids = None if batch.reference_ids is None else batch.reference_ids[row]
    if ids is not None and subject.reference_text(ids) != decoded:
        return False
    return _is_declared(text, decoded, subject)


def _is_unknown_by_design(row: int, batch: Batch, subject: Subject) -> bool:
    """Whether a text has unknown ids, and the reference gives the same ids and the same text."""
    ids = batch.ids[row]
    if ids is None or batch.reference_ids is None or ids != batch.reference_ids[row]:
        return False
    if unknown_ids(subject).isdisjoint(ids[slice_without_padding(ids, padding_id(subject))]):
        return False
    return subject.reference_text(ids) == batch.decoded[row]


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the causes that explain what came back instead of this text."""
    return round_trip_causes(text, subject)


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return what the ids of a text decode to, and the text or its declared form."""
    subject, text = subject.with_declared_normalizer(), subject.target.as_sent(text)
    ids = subject.encode(text)
    if ids is None or cause.verdict is Verdict.FACT:
        return {}
    given, expected = subject.target.decode(ids), subject.expected_text(scalar_text(text))
    if given == expected:
        return {}
    shown = compared_call("decode", given, expected, subject)
    return {**shown, **earlier_text(text, cause, subject)}


def _is_declared(text: str, decoded: str, subject: Subject) -> bool:
    """Whether a text comes back in the declared form, with pairs joined before or after that."""
    kept = subject.expected_text(text)
    if decoded == kept:
        return True
    plain = scalar_text(text)
    return is_joined(text, plain) and decoded in (scalar_text(kept), subject.expected_text(plain))
