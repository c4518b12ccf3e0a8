"""Ids that a post-processor adds, and ids that a truncation cuts off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.entry_points.affixes import reference_affixes
from tokharness.diagnosis.ids.stages import POST_PROCESSOR
from tokharness.model import Cause, Failure
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

# Truncation of ids to a number, as a file may ask for.

WORD, SHORTEST = " a", 64
SIDES = ("right", "left")
"""Sides at which ids may be cut off."""


def truncation_causes(ids: Sequence[Any], wanted: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the truncation with which the reference's ids become the target's, if there is one."""
    if len(ids) >= len(wanted):
        return []
    cut = subject.cache.get_or_compute(f"truncation to {len(ids)}", lambda: _cut(len(ids), subject))
    if cut is None or truncated(wanted, len(ids), cut) != list(ids):
        return []
    message = f"the target leaves out all ids of a text but {len(ids)}, at its {cut} end"
    parameters = (("truncates to", str(len(ids))), ("at the", cut))
    return [Cause(POST_PROCESSOR, parameters, message=message)]


def truncated(ids: Sequence[Any], most: int, side: str) -> list[Any]:
    """Cut ids off at one side until at most ``most`` are left."""
    return list(ids[:most] if side == "right" else ids[max(len(ids) - most, 0) :])


def _cut(most: int, subject: Subject) -> str | None:
    """Return the side at which the target cuts off the ids of long texts; None if it does not."""
    found = set()
    for words in (most + SHORTEST, most + 2 * SHORTEST):
        text = "".join(f"{WORD}{number % 10}" for number in range(words))
        ids, wanted = subject.encode(text), subject.reference_ids(text)
        if ids is None or wanted is None:
            return None
        own = reference_affixes(subject).without(ids)
        found.add(next((side for side in SIDES if truncated(wanted, most, side) == own), None))
    return found.pop() if len(found) == 1 else None


TEXTS = ("a", "a b", "1", "")
"""Plain texts without special tokens; an empty text may get no ids at all."""


def post_processor_failures(subject: Subject) -> Iterator[Failure]:
    """Report a post-processor that differs from the reference's.

    The reference must show its stages. Texts whose plain ids differ prove nothing.
    """
    target, reference = subject.target, subject.reference
    if reference is None or not target.can("encode_ordinary") or not reference.can("stages"):
        return
    for text in TEXTS:
        plain = target.encode(text)
        if isinstance(plain, Raised) or plain != reference.encode(text):
            continue
        ours, theirs = (one.call("encode", text) for one in (target, reference))
        if not isinstance(theirs, Raised) and ours != theirs:
            yield _failure(text, ours, theirs, subject)
            return


def _failure(text: str, ours: Any, theirs: list[int], subject: Subject) -> Failure:
    shown = f"raises {type(ours.error).__name__}" if isinstance(ours, Raised) else f"gives {ours}"
    message = f"encode {shown} for a text for which the post-processor of the file gives {theirs}"
    cause = Cause(POST_PROCESSOR, (("adds", "other ids"),), message=message)
    evidence = compared_call("encode", ours, theirs, subject)
    return Failure(cause, text=text, evidence={"stage": POST_PROCESSOR, **evidence})
