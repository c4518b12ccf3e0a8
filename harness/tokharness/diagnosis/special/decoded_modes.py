"""What each decoder gives for the id of a special token: its text, nothing, an exception."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.entry_points.decode_batches import DECODE_BATCH
from tokharness.diagnosis.special.modes import sample
from tokharness.errors import SkippedTextError, TargetDeath
from tokharness.outcome import Raised, call

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.model import Target

__all__ = [
    "ANOTHER_TOKEN",
    "DECODERS",
    "ITS_TEXT",
    "NOTHING",
    "OTHER_TEXT",
    "REFUSED",
    "decoded_modes",
]

DECODERS = (
    *("decode", "decode_bytes", "decode_single_token_bytes", "decode_stream", DECODE_BATCH),
)
ITS_TEXT, NOTHING, REFUSED = "gives its text", "leaves it out", "refuses it"
ANOTHER_TOKEN, OTHER_TEXT = "gives the text of another", "gives another text"
MOST_IDS = 512
PLACEHOLDERS = "\ufffd\u2047\u2581 "
"""Characters that decoders give for the unknown token, or for spaces around a token."""


def decoded_modes(name: str, tokens: Mapping[str, int], target: Target) -> dict[str, str]:
    """Return what a decoder does with the ids of special tokens, by text, for an even sample."""
    texts = sample([*tokens], MOST_IDS)
    ids = [tokens[text] for text in texts]
    by_folded = {text.strip().casefold() for text in tokens}
    modes = {}
    for text, result in zip(texts, _decoded(name, ids, target), strict=True):
        if mode := _mode(text, result, by_folded):
            modes[text] = mode
    return modes


def _decoded(name: str, ids: list[int], target: Target) -> list[Any]:
    if name == "decode_single_token_bytes":
        return target.call_each(name, ids)
    if name == DECODE_BATCH:
        rows = target.call(name, [[number] for number in ids])
        if isinstance(rows, list) and len(rows) == len(ids):
            return rows
        return [_first(target.call(name, [[number]])) for number in ids]
    results = target.call_each(name, [[number] for number in ids])
    if name == "decode_stream":
        return [r if isinstance(r, Raised) else call("".join, r) for r in results]
    return results


def _first(rows: Any) -> Any:
    return rows[0] if isinstance(rows, list) and rows else rows


def _mode(text: str, result: Any, others: set[str]) -> str:
    """Mode of one token; "" if its call ended the process, or panicked, which TOK112 reports."""
    if isinstance(result, Raised):
        no_mode = (TargetDeath, SkippedTextError, MemoryError)
        ordinary = isinstance(result.error, Exception) and not isinstance(result.error, no_mode)
        return REFUSED if ordinary else ""
    decoded = result.decode("utf-8", "replace") if isinstance(result, bytes) else result
    if not isinstance(decoded, str):
        return ""
    folded = decoded.strip().casefold()
    if folded == text.strip().casefold():
        return ITS_TEXT
    if not decoded.strip(PLACEHOLDERS):
        return NOTHING
    return ANOTHER_TOKEN if folded in others else OTHER_TEXT
