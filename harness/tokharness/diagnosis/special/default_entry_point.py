"""Control tokens that a default entry point reads from text, or that nothing declares.

A setting of the same library may leave these tokens text. A token is undeclared if the text of a
control token becomes one id although it is not declared as a special token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.special.inconsistencies import all_modes
from tokharness.diagnosis.special.modes import AS_ID, most_common
from tokharness.diagnosis.special.special_ids import CONTROL
from tokharness.model import Batch, Cause, Verdict

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

KIND = "default entry point"


def default_entry_point_cause(subject: Subject) -> Cause | None:
    """Return the risk that ``encode`` reads most special tokens, and a setting does not; or None.

    Added tokens that are not special are read with that setting, too.
    """

    def compute() -> Cause | None:
        setting = subject.target.plain_setting
        if setting is None or most_common(all_modes(subject).get("encode", {})) != AS_ID:
            return None
        message = (
            "the default entry point reads control tokens from text, so a user can write them; "
            f"with {setting} they are text"
        )
        if added := sorted(subject.target.added_tokens, key=lambda text: (len(text), text)):
            message += (
                f", but added tokens that are not special are ids, such as {added[0]} "
                f"({len(added):,} of them)"
            )
        return Cause(KIND, (("safe with", str(setting)),), Verdict.RISK, message)

    cause: Cause | None = subject.cache.get_or_compute(KIND, compute)
    return cause


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
        or not subject.special_tokens.keys().isdisjoint((text, subject.expected_text(text)))
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
