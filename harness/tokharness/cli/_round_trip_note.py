"""What becomes of a text that a target encodes and decodes, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.errors import TargetDeath, TokharnessError
from tokharness.escaping import Shown
from tokharness.outcome import Raised
from tokharness.targets.subject import is_scalar, scalar_text

if TYPE_CHECKING:
    from tokharness.model import Target

__all__ = ["SAME", "encode_and_decode"]

SAME = Shown("decodes to the same text")


def encode_and_decode(text: str, target: Target) -> tuple[list[int] | None, Shown]:
    """Return the ids of a text, None if the target raises, and a note on the round trip."""
    ids = target.encode(text)
    if isinstance(ids, Raised):
        return None, _error_note(ids.error)
    back = target.decode(ids)
    if isinstance(back, Raised):
        return None, _error_note(back.error)
    return ids, _note(text, back)


def _error_note(error: BaseException) -> Shown:
    """Say how encoding or decoding failed; an error of the program itself is raised."""
    if isinstance(error, TokharnessError):
        raise error
    if isinstance(error, TargetDeath):
        return Shown("crashes or hangs: {}").format(str(error))
    return Shown("raises {}: {}").format(type(error).__name__, str(error))


def _note(text: str, back: str) -> Shown:
    if back == text:
        return SAME
    if not is_scalar(text) and back == scalar_text(text):
        return Shown("decodes to the text with {}").format(_surrogate_changes(text))
    return Shown('decodes to "{}"').format(back)


def _surrogate_changes(text: str) -> str:
    """Describe what replaces the surrogates of a text in its scalar form."""
    plain = scalar_text(text)
    joined = ["its surrogate pairs joined"] if len(plain) < len(text) else []
    lost = plain.count("\ufffd") > text.count("\ufffd")
    return " and ".join([*joined, *(["U+FFFD for each lone surrogate"] if lost else [])])
