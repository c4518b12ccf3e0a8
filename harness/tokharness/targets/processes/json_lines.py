r"""Plain data as one line, for pipes and for files.

JSON joins two surrogates that stand as ``\ud83d\ude00`` into one character, and a text of two code
units is another text than that of one character. Between processes of ours a line is therefore JSON
in UTF-8 with surrogates as they are. In files, which are ASCII, such a text is cut between the two:
``{"pieces": ["\ud83d", "\ude00"]}``.
"""

from __future__ import annotations

import json
from typing import Any

from tokharness.escaping import between_surrogates

__all__ = ["from_ascii_line", "from_line", "to_ascii_line", "to_line"]


def to_line(value: Any) -> bytes:
    """Write plain data for a process of ours, with the line feed."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def from_line(line: bytes) -> Any:
    """Read what :func:`to_line` wrote; raises ValueError if it is no JSON."""
    return json.loads(line.decode("utf-8", "surrogatepass"))


def to_ascii_line(value: Any) -> str:
    """Write plain data for a file, with the line feed."""
    return json.dumps(_packed(value), ensure_ascii=True) + "\n"


def from_ascii_line(line: str) -> Any:
    """Read what :func:`to_ascii_line` wrote; raises ValueError if it is no JSON."""
    return json.loads(line, object_pairs_hook=_unpacked)


def _packed(value: Any) -> Any:
    if isinstance(value, str):
        pieces = between_surrogates(value)
        return value if len(pieces) == 1 else {"pieces": pieces}
    if isinstance(value, dict):
        return {key: _packed(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_packed(one) for one in value]
    return value


def _unpacked(pairs: list[tuple[str, Any]]) -> Any:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError(f"a key is there twice in {json.dumps(list(value))[:80]}")
    if value.keys() != {"pieces"}:
        return value
    pieces = value["pieces"]
    if not isinstance(pieces, list) or not all(isinstance(one, str) for one in pieces):
        raise ValueError("the pieces of a text are no list of texts")
    return "".join(pieces)
