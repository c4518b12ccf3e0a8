"""Ids that change when their text is encoded again, although those of the reference do not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.emitted_ids.texts_of_cases import texts_of_cases
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import decode_all, encode_all, reportable_ids
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised
from tokharness.targets.subject_state import SubjectState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.diagnosis.emitted_ids.retokenized import Retokenized
    from tokharness.targets.subject import Subject

__all__ = ["drift_above_reference"]


def drift_above_reference(rows: Sequence[Retokenized], subject: Subject) -> Failure | None:
    """Return the risk, if more ids of the target change than of the reference.

    Sequences that the two decode differently are left out, since TOK202 reports them. If the ids of
    a case differ too, TOK201 reports why.
    """
    if subject.reference is None:
        return None
    other = replace(subject, target=subject.reference, reference=None, state=SubjectState())
    changed = _differing([row for row in rows if row.changed], subject, other)
    if not changed:
        return None
    kept = _differing([row for row in rows if not row.changed], subject, other)
    if len(changed) <= len(kept) or _differs_on_a_case(subject, other):
        return None
    smallest = min(changed, key=lambda row: (len(row.ids), len(row.text), row.ids))
    (expected,) = _ids_by(other, [smallest.text], subject)
    return Failure(
        Cause(
            "drift of emitted ids",
            (("rate", "above that of the reference"),),
            Verdict.RISK,
            f"of {len(rows):,} sequences of ids that a model may emit, {len(changed):,} change "
            "when their text is encoded again, and do not with the reference; for example "
            f"{smallest.in_words()}",
        ),
        count=len(changed),
        text=smallest.text,
        evidence={
            **compared_call(subject.target.entry_point, smallest.again, expected, subject),
            "ids": reportable_ids(smallest.ids),
        },
    )


def _differing(rows: Sequence[Retokenized], subject: Subject, other: Subject) -> list[Retokenized]:
    """Return the rows whose text is encoded differently by the reference, which decodes it too.

    Either the target changes the ids and the reference does not, or the reverse.
    """
    texts = decode_all([row.ids for row in rows], other)
    same = [row for row, text in zip(rows, texts, strict=True) if row.text == text]
    encoded = _ids_by(other, [row.text for row in same], subject)
    return [
        row
        for row, ids in zip(same, encoded, strict=True)
        if ids is not None and row.changed is (ids == row.ids)
    ]


def _ids_by(other: Subject, texts: Sequence[str], subject: Subject) -> list[list[Any] | None]:
    """Return the ids of the declared form of each text by the reference, without its affixes."""
    encoded = encode_all([subject.text_for_reference(text) for text in texts], other)
    return [None if isinstance(ids, Raised) else without_affixes(ids, other) for ids in encoded]


def _differs_on_a_case(subject: Subject, other: Subject) -> bool:
    """Whether the reference encodes a case of the run differently."""
    for texts in texts_of_cases(subject):
        rows = zip(encode_all(texts, subject), _ids_by(other, texts, subject), strict=True)
        for ids, wanted in rows:
            one_raises = isinstance(ids, Raised) or wanted is None
            if not one_raises and without_affixes(ids, subject) != wanted:
                return True
    return False
