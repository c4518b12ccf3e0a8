"""A default entry point that reads special tokens from text, while a setting does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.special.inconsistencies import all_modes
from tokharness.diagnosis.special.modes import AS_ID, most_common
from tokharness.model import Cause, Verdict

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
