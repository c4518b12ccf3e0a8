"""The character in which each token of a text begins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tokharness.outcome import Raised
from tokharness.targets.subject import Subject, is_scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.model import Target

__all__ = ["known_bytes", "token_starts"]

MARKS = re.compile(r"^##|@@$|</w>$")
"""What vocabularies write at the start or the end of a token to say where a word ends."""
WORD_START = "\u2581"


def token_starts(
    text: str,
    ids: Sequence[Any],
    target: Target,
    reference_of: Callable[[Target], Target | None],
) -> list[int] | None:
    """Return the index of the character in which each token begins; None if it is not known.

    The bytes of the tokens show it if they spell the text; else the offsets of the target, or
    those of the reference that reads its file, for the same ids; else the texts of the tokens.
    """
    if not text or not ids:
        return None
    return (
        _by_bytes(text, ids, target)
        or _by_offsets(text, ids, target)
        or _by_offsets(text, ids, reference_of(target))
        or _by_texts(text, ids, target)
    )


def known_bytes(text: str, ids: Sequence[Any], target: Target) -> list[bytes] | None:
    """Return the bytes of each token; None if one has none, or a text has a surrogate."""
    return Subject(target).token_bytes(ids) if is_scalar(text) else None


def _by_bytes(text: str, ids: Sequence[Any], target: Target) -> list[int] | None:
    data = known_bytes(text, ids, target)
    if data is None or b"".join(data) != text.encode():
        return None
    characters = [at for at, character in enumerate(text) for _ in character.encode()]
    starts, at = [], 0
    for piece in data:
        starts.append(characters[min(at, len(characters) - 1)])
        at += len(piece)
    return starts


def _by_offsets(text: str, ids: Sequence[Any], owner: Target | None) -> list[int] | None:
    if owner is None or not owner.can("encode_with_offsets"):
        return None
    result = owner.call("encode_with_offsets", text)
    if isinstance(result, Raised):
        return None
    own_ids, spans = result
    starts = [start for start, _ in spans]
    if list(own_ids) != list(ids) or len(starts) != len(ids):
        return None
    last = len(text) - 1  # what is added at the end has an empty span after the text
    return [min(start, last) for start in starts] if min(starts, default=0) >= 0 <= last else None


def _by_texts(text: str, ids: Sequence[Any], target: Target) -> list[int] | None:
    """Return where the texts of tokens are, if they spell the text but for case and white space."""
    if not target.can("token_text"):
        return None
    starts, at = [], 0
    for written in target.call_each("token_text", ids):
        if not isinstance(written, str):
            return None
        token = MARKS.sub("", written.replace(WORD_START, " ")).strip()
        begin = _after_spaces(text, at) if token else at
        at = begin + len(token)
        if text[begin:at].lower() != token.lower():
            return None
        starts.append(min(begin, len(text) - 1))
    return None if text[at:].strip() else starts


def _after_spaces(text: str, at: int) -> int:
    """Return the index of the first character from ``at`` on that is not white space."""
    return len(text) - len(text[at:].lstrip())
