"""Texts of control tokens that become one id without being declared as special tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.special.control_tokens import CONTROL
from tokharness.diagnosis.special.default_entry_point import default_entry_point_cause
from tokharness.model import Batch, Cause, Verdict

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

FAMILY = "special-tokens"

UNDECLARED = Cause(
    "special token",
    (("from", "exact text, undeclared"),),
    Verdict.RISK,
    "the text of a control token becomes one id, as a special token would, but special_tokens "
    "does not declare it",
)

NOT_SPECIAL = Cause(
    "special token",
    (("from", "exact text, not special"),),
    Verdict.RISK,
    "the text of a control token gets its id even where special tokens are text, since the "
    "vocabulary has it as an added token that is not special",
)


def undeclared_rows(batch: Batch, subject: Subject) -> list[int]:
    """Rows of the family of special tokens for which :func:`undeclared_causes` gives a cause."""
    if batch.family != FAMILY:
        return []
    rows = enumerate(zip(batch.texts, batch.ids, strict=True))
    return [row for row, (text, ids) in rows if ids and undeclared_causes(text, ids, subject)]


def undeclared_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Cause for a text like a control token that has one id while its near misses have several.

    Such a text is neither an ordinary word of the vocabulary nor unknown.
    """
    if (
        CONTROL.fullmatch(text) is None
        or text in subject.special_tokens
        or not _is_one_id(ids, subject)
    ):
        return []
    if text in subject.target.added_tokens:
        # One risk: what user text can write with the default entry point, and with a safe one.
        return [default_entry_point_cause(subject) or NOT_SPECIAL]
    misses = {text.swapcase(), text[0] + text[1:-1][::-1] + text[-1], text[:-1], text[1:]} - {text}
    rows = (subject.encode(miss) for miss in sorted(misses))
    return [] if any(row is None or _is_one_id(row, subject) for row in rows) else [UNDECLARED]


def _is_one_id(ids: list[int], subject: Subject) -> bool:
    return len(without_affixes(ids, subject)) == 1
