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

DECODERS = (
    *("decode", "decode_bytes", "decode_single_token_bytes", "decode_stream", DECODE_BATCH),
)
ITS_TEXT, NOTHING, REFUSED = "gives its text", "leaves it out", "refuses it"
ANOTHER_TOKEN, OTHER_TEXT = "gives the text of another", "gives another text"
MOST_IDS = 512
PLACEHOLDERS = "\ufffd\u2047\u2581 "
"""Characters that decoders give for the unknown token, or for spaces around a token."""


def decoded_modes(name: str, tokens: Mapping[str, int], target: Target) -> dict[str, str]:
    """Return the mode of a decoder for the ids of special tokens, by text, for an even sample."""
    texts = sample([*tokens], MOST_IDS)
    ids = [tokens[text] for text in texts]
    by_folded = set(map(_folded, tokens))
    results = dict(zip(texts, _decoded(name, ids, target), strict=True))
    found = {text: _mode(text, result, by_folded) for text, result in results.items()}
    others = [str(results[text]) for text, mode in found.items() if mode == OTHER_TEXT]
    stands_for_all = len(others) > 1 and len({*others}) == 1  # such as "?" for each special token
    if stands_for_all:
        found = {text: NOTHING if mode == OTHER_TEXT else mode for text, mode in found.items()}
    return {text: mode for text, mode in found.items() if mode}


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
    folded = _folded(decoded)
    if folded == _folded(text):
        return ITS_TEXT
    if not decoded.strip(PLACEHOLDERS):
        return NOTHING
    return ANOTHER_TOKEN if folded in others else OTHER_TEXT


def _folded(text: str) -> str:
    """Remove differences that decoders make around a token: case, spaces and marks of spaces."""
    return text.replace("\u2581", " ").strip().casefold()
