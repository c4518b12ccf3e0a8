"""Two ids stand for the same bytes.

Oracle: static, over the vocabulary (catalogue D8). Ids whose bytes only look alike, or are equal
after NFC, are different tokens and are not told.

Why it matters: of two ids with the same bytes the encoder gives one at most. The other was never
trained on, and decoding and encoding again does not bring it back. Counts, log probabilities and
filters by id see two things where a reader sees one. The verdict is *bug*.

A vocabulary with *byte fallback* (SentencePiece) has 256 ids for single bytes beside its pieces, so
each piece of one ASCII character has a twin: that is told once, as by design.

Example: a vocabulary that was extended with a word that it had already::

    TOK406 bug  duplicate tokens   ids 1,820 and 100,300 are both " the"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.subject import Subject

CODE = "TOK406"
NAME = "duplicate-tokens"
REQUIRES = ("decode_single_token_bytes", "n_vocab")

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]

MOST_SHOWN = 50
FALLBACK_TWINS = 64
"""So many bytes of a block of 256 have a twin before the block is taken for a byte fallback."""


def audit(subject: Subject) -> Iterator[Failure]:
    """Group the ids by their bytes."""
    groups = _groups(subject.vocabulary())
    block = _byte_block(subject.vocabulary())
    twins = [data for data, ids in groups.items() if len(block.intersection(ids)) == 1]
    if len(twins) >= FALLBACK_TWINS:
        message = (
            f"{len(twins):,} of the 256 ids for single bytes (byte fallback) have a twin among "
            "the pieces"
        )
        cause = Cause("byte fallback", (), Verdict.BY_DESIGN, message)
        yield Failure(cause, count=len(twins), text=min(twins))
        groups = {data: [i for i in ids if i not in block] for data, ids in groups.items()}
        groups = {data: ids for data, ids in groups.items() if len(ids) > 1}
    if groups:
        smallest = min(groups, key=lambda data: (len(data), data))
        one, other, *_ = groups[smallest]
        message = (
            f"{len(groups):,} byte strings have several ids, {one:,} and {other:,} one of them"
        )
        yield Failure(
            Cause("duplicate tokens", message=message),
            count=len(groups),
            text=smallest,
            evidence={"ids": list(groups.values())[:MOST_SHOWN]},
        )


def _groups(vocabulary: Mapping[int, bytes]) -> dict[bytes, list[int]]:
    """Ids of each byte string that has several; an id without bytes is a hole, and none."""
    if len(set(vocabulary.values())) == len(vocabulary):
        return {}
    groups: dict[bytes, list[int]] = {}
    for number, data in vocabulary.items():
        if data:
            groups.setdefault(data, []).append(number)
    return {data: ids for data, ids in groups.items() if len(ids) > 1}


def _byte_block(vocabulary: Mapping[int, bytes]) -> frozenset[int]:
    """256 ids in a row that are the 256 bytes in order; none if there is no such block."""
    for number, data in vocabulary.items():
        if data == b"\0" and all(
            vocabulary.get(number + byte) == bytes([byte]) for byte in range(256)
        ):
            return frozenset(range(number, number + 256))
    return frozenset()
