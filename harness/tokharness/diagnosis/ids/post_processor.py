"""Ids that the default entry point adds to a text, compared with those that the reference adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.ids.stages import POST_PROCESSOR
from tokharness.model import Cause, Failure
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

__all__ = ["post_processor_failures"]

TEXTS = ("a", "a b", "1", "")
"""Plain texts without special tokens; an empty one may get no ids at all."""


def post_processor_failures(subject: Subject) -> Iterator[Failure]:
    """Report a post-processor that does something else than that of the reference.

    The reference has to show its stages. Texts of which the plain ids differ say nothing.
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
