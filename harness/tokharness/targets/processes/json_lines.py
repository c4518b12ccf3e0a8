r"""Plain data as JSON lines, for pipes and for files.

A JSON parser joins the two escapes ``\ud83d\ude00`` into one character, which is a different text
from two surrogates. Between our own processes a line is therefore JSON in UTF-8 with unchanged
surrogates. In files, which are ASCII, such a text is split between the two surrogates:
``{"pieces": ["\ud83d", "\ude00"]}``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokharness.escaping import split_surrogate_pairs
from tokharness.json_content import parse_json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_VALUES = 2_000_000
"""Values and keys of a line of a file, at most; a baseline (one line) has some ten thousand."""


def to_line(value: Any) -> bytes:
    """Return plain data as a line for one of our processes, with the line feed."""
    return b"".join((*_pieces(value, levels=2), b"\n"))


def _pieces(value: Any, levels: int) -> Iterator[bytes]:
    """Yield the JSON of ``levels`` levels of objects in pieces.

    A single character above U+FFFF makes the whole string take four bytes for each character.
    """
    if not levels or type(value) is not dict:
        yield json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
        return
    before = b"{"
    for key, item in value.items():
        yield before + json.dumps(str(key), ensure_ascii=False).encode("utf-8", "surrogatepass")
        yield b": "
        yield from _pieces(item, levels - 1)
        before = b", "
    yield b"{}" if before == b"{" else b"}"


def from_line(line: bytes) -> Any:
    """Parse a line of :func:`to_line`; raises ValueError if it is not JSON."""
    return json.loads(line.decode("utf-8", "surrogatepass"))


def to_ascii_line(value: Any) -> str:
    """Return plain data as a line for a file, with the line feed."""
    return json.dumps(_pack(value), ensure_ascii=True) + "\n"


def from_ascii_line(line: str) -> Any:
    """Parse a line of :func:`to_ascii_line`; raises ValueError if it is not such a line."""
    return parse_json_text(line, MOST_VALUES, object_pairs_hook=_unpack)


def _pack(value: Any) -> Any:
    if isinstance(value, str):
        pieces = split_surrogate_pairs(value)
        return value if len(pieces) == 1 else {"pieces": pieces}
    if isinstance(value, dict):
        return {key: _pack(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_pack(item) for item in value]
    return value


def _unpack(pairs: list[tuple[str, Any]]) -> Any:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError(f"duplicate key in {json.dumps(list(value))[:80]}")
    if value.keys() != {"pieces"}:
        return value
    pieces = value["pieces"]
    if not isinstance(pieces, list) or not all(isinstance(piece, str) for piece in pieces):
        raise ValueError("the pieces of a text are not a list of strings")
    return "".join(pieces)
