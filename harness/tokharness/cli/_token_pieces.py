"""The tokens of a text as a reader sees them, whatever the algorithm of the tokenizer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.escaping import Shown, terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Target

__all__ = ["BYTE", "UNKNOWN", "Piece", "pieces_of", "shown_bytes"]

UNKNOWN, BYTE = "unknown token", "part of a character"

WORD_START, REPLACEMENT = "\u2581", "\ufffd"
BYTE_TOKEN = re.compile(r"<0x[0-9A-F]{2}>")
"""The token of a byte in vocabularies with byte fallback (SentencePiece)."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A token in its display form; its kind is UNKNOWN, BYTE or ""."""

    shown: Shown
    kind: str = ""


def pieces_of(ids: Sequence[Any], target: Target) -> list[Piece]:
    """Return the tokens with these ids.

    A token has the text of its vocabulary, with marks such as ``##`` and U+2581. A byte-level
    vocabulary writes bytes as other characters, so its tokens are shown as the bytes that they
    stand for. A token of which neither is known is its id.
    """
    texts = _values("token_text", ids, target)
    data = _values("decode_single_token_bytes", ids, target)
    return [
        _piece(number, *known, is_unknown=number == target.unknown_id)
        for number, *known in zip(ids, texts, data, strict=True)
    ]


def _values(method: str, ids: Sequence[Any], target: Target) -> list[Any]:
    return target.call_each(method, ids) if target.can(method) else [None] * len(ids)


def _piece(number: Any, text: Any, data: Any, *, is_unknown: bool) -> Piece:
    has_text = isinstance(text, str)
    if is_unknown:
        return Piece(terminal(text if has_text else str(number)), UNKNOWN)
    if isinstance(data, bytes) and not (has_text and _is_own_text(text, data)):
        return Piece(shown_bytes(data), "" if _is_utf8(data) else BYTE)
    if not has_text:
        return Piece(terminal(str(number)))
    return Piece(terminal(text), BYTE if BYTE_TOKEN.fullmatch(text) else "")


def _is_own_text(text: str, data: bytes) -> bool:
    """Whether a vocabulary writes a token as text, and not each byte as a character."""
    plain = text.replace(WORD_START, " ").encode("utf-8", "surrogatepass")
    return plain == data or (len(text) != len(data) and REPLACEMENT not in text)


def shown_bytes(data: bytes) -> Shown:
    """Return bytes as the text that they spell, or as escapes where they spell none."""
    return terminal(data.decode() if _is_utf8(data) else data)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
