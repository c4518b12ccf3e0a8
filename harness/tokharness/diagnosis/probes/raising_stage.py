"""Whether encoding or decoding raises, and what."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["raising_stage"]


def raising_stage(text: str, subject: Subject) -> tuple[str, BaseException] | None:
    """Stage that raises, ``encode`` or ``decode``, and the exception; None if neither does."""
    stage = "encode"
    try:
        ids = subject.encode(text)
        stage = "decode"
        subject.target.decode(ids)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return stage, error
    return None
