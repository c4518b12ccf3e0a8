"""What the characters of each block of Unicode cost, each alone.

``[{"block", "first", "last", "assigned", "since", "tried", "encoded", "tokens", "lost",
"raised"}]``: ``assigned`` counts characters, ``since`` is the version that assigned the first of
them (the oldest that is known, 7.0, stands for all before), ``tried`` how many of them, evenly over
a large block, were tried, ``tokens`` how many ids the ``encoded`` ones of those have together,
``lost`` how many do not come back, and ``raised`` on how many the target raised. Blocks without
assigned characters are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.calls import decode_all, encode_all, was_not_tried
from tokharness.engine.worker.units import sample_evenly
from tokharness.outcome import Raised
from tokharness.unicode.blocks import Block, blocks
from tokharness.unicode.properties import members
from tokharness.unicode.versions import VERSIONS, category_in

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["measure"]

TRIED = 256
"""Characters of a block: all of most."""


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Encode some characters of each block."""
    assigned = set(members(r"[^\p{Cn}\p{Cs}\p{Co}]"))
    found = []
    for block in blocks():
        points = [point for point in range(block.first, block.last + 1) if point in assigned]
        if points:
            found.append(_row(block, list(map(chr, points)), subject))
    return found


def _row(block: Block, characters: list[str], subject: Subject) -> dict[str, Any]:
    some = list(sample_evenly(characters, TRIED))
    asked = zip(some, encode_all(some, subject), strict=True)
    ids = [(text, row) for text, row in asked if not was_not_tried(row)]
    whole = [(text, row) for text, row in ids if not isinstance(row, Raised)]
    back = decode_all([row for _, row in whole], subject)
    pairs = [(text, one) for (text, _), one in zip(whole, back, strict=True)]
    raised = sum(isinstance(one, Raised) for _, one in pairs)
    return {
        "block": block.name,
        "first": block.first,
        "last": block.last,
        "assigned": len(characters),
        "since": next(
            (v for v in VERSIONS if any(category_in(one, v) != "Cn" for one in characters)), ""
        ),
        "tested": len(ids),
        "tokens": sum(len(row) for _, row in whole),
        "encoded": len(whole),
        "lost": sum(text != one for text, one in pairs) - raised,
        "raised": len(ids) - len(whole) + raised,
    }
