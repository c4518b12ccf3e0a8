"""Texts for which only target or reference gives ids; the other side raises or knows no token.

Such texts count only if the user named the reference, which claims that both are equal. A scalar
text on which the target raises is left to TOK102, which reports it without a reference; a text on
which only the reference raises is a risk, since the fault may be the reference's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.errors import SkippedTextError, TargetDeath
from tokharness.model import Cause, Verdict
from tokharness.outcome import Raised
from tokharness.targets.subject import is_scalar, scalar_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Batch
    from tokharness.targets.subject import Subject

# Ids that differ in the unknown token are a symptom, whatever the reason for the unknown token.

MESSAGE = "{} gives the unknown token where {} has tokens for the text, or drops it"


def unknown_token_causes(
    ids: Sequence[Any], wanted: Sequence[Any], subject: Subject
) -> list[Cause]:
    """Return the symptom that names the side with more unknown tokens, if there is one."""
    sides = (subject.reference, subject.target)
    unknown = {side.unknown_id for side in sides if side is not None} - {None}
    ours, theirs = (sum(number in unknown for number in row) for row in (ids, wanted))
    if ours == theirs:
        return []
    names = ("the target", "the reference")
    more, fewer = names if ours > theirs else reversed(names)
    parameters = (("in", more),)
    return [Cause("unknown token", parameters, message=MESSAGE.format(more, fewer), weak=True)]


NOT_RAISED = (TargetDeath, MemoryError, SkippedTextError)
"""Exceptions that say nothing about what the tokenizer does with a text."""


def rows_where_one_raises(batch: Batch, subject: Subject) -> list[int]:
    """Rows on which one side raised, if the user claims parity; none in a healthy batch."""
    wanted = batch.reference_ids
    if not subject.claims_parity or wanted is None:
        return []
    target_only = [
        row
        for row, error in batch.errors.items()
        if batch.ids[row] is None
        and wanted[row] is not None
        and not isinstance(error, NOT_RAISED)
        and not is_scalar(batch.texts[row])
    ]
    reference_only = [
        row
        for row, error in batch.reference_errors.items()
        if batch.ids[row] is not None
        and not isinstance(error, NOT_RAISED)
        and not _reference_refuses_special(batch.texts[row], subject)
    ]
    return target_only + reference_only


def causes_where_one_raises(text: str, subject: Subject) -> list[Cause]:
    """Return the cause of a text on which only one side raises; none if both or neither raise."""
    reference = subject.reference
    if not subject.claims_parity or reference is None or not subject.is_comparable(text):
        return []
    ours = subject.target.encode(text)
    theirs = reference.encode(subject.text_for_reference(text))
    if isinstance(ours, Raised):
        skipped = isinstance(theirs, Raised) or isinstance(ours.error, NOT_RAISED)
        return [] if skipped or is_scalar(text) else [_refused(ours)]
    if not isinstance(theirs, Raised) or isinstance(theirs.error, NOT_RAISED):
        return []
    if _reference_refuses_special(text, subject):
        return []
    name = type(theirs.error).__name__
    if not is_scalar(text) and subject.reference_ids(scalar_text(text)) is not None:
        message = f"text with surrogates gets ids, and the reference raises {name} for it"
        return [_surrogates("by the reference only", message)]
    message = f"a text gets ids, and the reference raises {name} for it"
    parameters = (("in", "the reference only"), ("type", name))
    return [Cause("raises", parameters, Verdict.RISK, message)]


def _refused(raised: Raised) -> Cause:
    name = type(raised.error).__name__
    message = f"text with surrogates raises {name}, and the reference gives ids for it"
    return _surrogates("by the target only", message)


def _surrogates(refused: str, message: str) -> Cause:
    """Return the cause for surrogates, a *risk*, since they are not Unicode text."""
    return Cause("surrogates", (("refused", refused),), Verdict.RISK, message)


def _reference_refuses_special(text: str, subject: Subject) -> bool:
    """Whether the reference raises because its ``encode`` refuses the text of special tokens.

    The target then has a different entry point for plain text, so this is by design.
    """
    reference = subject.reference
    if reference is None or reference.can("encode_ordinary"):
        return False
    plain = subject.expected_text(text)
    for special in reference.special_tokens:
        plain = plain.replace(special, "a")
    changed = plain != subject.expected_text(text)
    return changed and not isinstance(reference.encode(plain), Raised)
