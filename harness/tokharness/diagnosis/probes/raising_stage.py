"""Whether encoding or decoding raises, and what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.outcome import Raised

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["raising_stage"]


def raising_stage(text: str, subject: Subject) -> tuple[str, BaseException] | None:
    """Stage that raises, ``encode`` or ``decode``, and the exception; None if neither does."""
    ids = subject.target.encode(text)
    if isinstance(ids, Raised):
        return "encode", ids.error
    decoded = subject.target.decode(list(ids))
    return ("decode", decoded.error) if isinstance(decoded, Raised) else None
