"""Tokens of the characters of each Unicode block, each character alone.

``[{"block", "first", "last", "assigned", "since", "tested", "encoded", "tokens", "lost",
"raised"}]``: ``first`` and ``last`` are code points; ``assigned`` counts characters; ``since`` is
the Unicode version that assigned the first of them ("7.0" means 7.0 or older). Of the ``tested``
characters, a sample of a large block, ``encoded`` have ids, ``tokens`` in total, ``lost`` do not
round-trip, and the target ``raised`` on the others. Blocks without assigned characters are
omitted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.calls import decode_all, encode_all, was_skipped
from tokharness.engine.worker.units import sample_evenly
from tokharness.outcome import Raised
from tokharness.unicode.properties import Block, blocks, members
from tokharness.unicode.versions import VERSIONS, category_in

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["measure"]

MAX_TESTED = 256
"""Number of characters that are tested in a block; most blocks have fewer."""


def measure(subject: Subject) -> list[dict[str, Any]]:
    """Encode some characters of each block."""
    assigned = set(members(r"[^\p{Cn}\p{Cs}\p{Co}]"))
    rows = []
    for block in blocks():
        points = [point for point in range(block.first, block.last + 1) if point in assigned]
        if points:
            rows.append(_row(block, list(map(chr, points)), subject))
    return rows


def _row(block: Block, characters: list[str], subject: Subject) -> dict[str, Any]:
    sample = list(sample_evenly(characters, MAX_TESTED))
    results = zip(sample, encode_all(sample, subject), strict=True)
    tested = [(text, ids) for text, ids in results if not was_skipped(ids)]
    encoded = [(text, ids) for text, ids in tested if not isinstance(ids, Raised)]
    decoded = decode_all([ids for _, ids in encoded], subject)
    pairs = [(text, back) for (text, _), back in zip(encoded, decoded, strict=True)]
    decode_raised = sum(isinstance(back, Raised) for _, back in pairs)
    return {
        "block": block.name,
        "first": block.first,
        "last": block.last,
        "assigned": len(characters),
        "since": next(
            (v for v in VERSIONS if any(category_in(char, v) != "Cn" for char in characters)), ""
        ),
        "tested": len(tested),
        "tokens": sum(len(ids) for _, ids in encoded),
        "encoded": len(encoded),
        "lost": sum(text != back for text, back in pairs) - decode_raised,
        "raised": len(tested) - len(encoded) + decode_raised,
    }
