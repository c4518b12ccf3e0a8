"""What a target decodes before any other call can have left something in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokharness.outcome import Raised
    from tokharness.targets.subject import Subject

__all__ = ["first_decoded"]

FIRST = "hello"
"""A text that a worker has encoded and decoded without harm before it calls this."""


def first_decoded(subject: Subject) -> tuple[list[int], str | Raised]:
    """Return the ids of a plain text, and what they decoded to at the first call.

    A worker calls it as soon as it has loaded the target.
    """
    return subject.cache.get_or_compute("first decoded", lambda: _decode(subject))


def _decode(subject: Subject) -> tuple[list[int], str | Raised]:
    ids = subject.encode(FIRST) or []
    return ids, subject.target.decode(ids)
