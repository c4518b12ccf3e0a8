"""Texts of control tokens that become one id, though the target declares no such special token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.model import Batch, Cause, Verdict

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["undeclared_causes", "undeclared_rows"]

FAMILY = "special-tokens"
CONTROL = regex.compile(r"<[^<>\s]{1,40}>|\[[^\[\]\s]{1,40}\]")

UNDECLARED = Cause(
    "special token",
    (("from", "exact text, undeclared"),),
    Verdict.RISK,
    "text of a control token becomes one id, as if it were one, and special_tokens does not "
    "declare it",
)


def undeclared_rows(batch: Batch, subject: Subject) -> list[int]:
    """Rows of the family of special tokens that :func:`undeclared_causes` is about."""
    if batch.family != FAMILY:
        return []
    rows = enumerate(zip(batch.texts, batch.ids, strict=True))
    return [row for row, (text, ids) in rows if ids and undeclared_causes(text, ids, subject)]


def undeclared_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Tell a text like a control token that has one id, while its near misses have several.

    So it is neither a word to the target, nor unknown.
    """
    if (
        CONTROL.fullmatch(text) is None
        or text in subject.special_tokens
        or not _is_one_id(ids, subject)
    ):
        return []
    misses = {text.swapcase(), text[0] + text[1:-1][::-1] + text[-1], text[:-1], text[1:]} - {text}
    near = (subject.try_encode(miss) for miss in sorted(misses))
    return [] if any(one is None or _is_one_id(one, subject) for one in near) else [UNDECLARED]


def _is_one_id(ids: list[int], subject: Subject) -> bool:
    return len(without_affixes(ids, subject)) == 1
