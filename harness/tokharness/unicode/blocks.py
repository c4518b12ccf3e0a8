"""The blocks of Unicode, from ``blocks.json``, which says how it was made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Block:
    """A block: its name, its first and its last code point."""

    name: str
    first: int
    last: int


@cache
def blocks() -> tuple[Block, ...]:
    """Return all blocks in the order of their code points."""
    source = files("tokharness.unicode").joinpath("blocks.json").read_text(encoding="ascii")
    rows = json.loads(source)["blocks"]
    return tuple(Block(name, int(first, 16), int(last, 16)) for first, last, name in rows)
