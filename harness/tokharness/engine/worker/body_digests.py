"""Take the digests of the bodies of texts, and find the texts whose ids changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.calls import encode_all
from tokharness.diagnosis.reachability.own_texts import encode_own_texts
from tokharness.engine.worker.bodies import TOKENS, bodies
from tokharness.errors import TargetDeath
from tokharness.outcome import Raised
from tokharness.targets.digests import digest_of, first_difference, pack, unpack
from tokharness.targets.snapshot import TOKENS_ALONE, ChangedText

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tokharness.model import Description
    from tokharness.targets.digests import Digest
    from tokharness.targets.snapshot import EarlierState, Ids
    from tokharness.targets.subject import Subject

__all__ = ["Digests", "take_digests"]

MAX_CHANGED = 20_000
"""Texts of a body that are looked at: the shortest ones."""

MANY = 50_000
"""Tokens of a large file, which needs the space of a baseline itself."""


@dataclass(frozen=True, slots=True)
class Digests:
    """The packed digest and the number of texts of each body, and what changed since.

    ``changed`` are the texts that the digests locate, ``candidates`` all texts of the blocks that
    differ, and ``counts`` numbers of changed texts.
    """

    packed: Mapping[str, str]
    sizes: Mapping[str, int]
    changed: tuple[ChangedText, ...]
    candidates: tuple[ChangedText, ...]
    counts: Mapping[str, int]
    not_compared: Mapping[str, int]


def take_digests(
    subject: Subject,
    earlier: EarlierState | None,
    description: Description | None,
) -> Digests:
    """Encode the texts of each body; for ``description`` see :func:`bodies`.

    With a file the texts that changed are found by the reference of the old file, so few bits of
    each text are kept next to a large one.
    """
    packed, sizes, counts, not_compared = {}, {}, {}, {}
    changed: list[ChangedText] = []
    candidates: list[ChangedText] = []
    for name, texts in bodies(subject, description):
        results = (encode_own_texts if name == TOKENS else encode_all)(texts, subject)
        errors = {row: one.error for row, one in enumerate(results) if isinstance(one, Raised)}
        ids: list[Any] = [None if row in errors else one for row, one in enumerate(results)]
        digest = digest_of(texts, ids, errors=errors)
        packed[name], sizes[name] = pack(digest, _bits(name, description)), len(texts)
        if earlier is None or name not in earlier.bodies:
            continue
        before = unpack(earlier.bodies[name])
        difference = first_difference(before, digest)
        if difference or difference.not_run:
            now = [_ids(one, errors.get(row)) for row, one in enumerate(ids)]
            located = list(_shortest(name, texts, now, difference.rows))
            changed += located
            others = set(_rows_of_blocks(before, digest)).difference(difference.rows)
            candidates += [*located, *_shortest(name, texts, now, others)][:MAX_CHANGED]
        if difference:
            counts[name] = len(difference.rows) + len(difference.ranges)
        if missing := difference.other_texts + difference.not_run:
            not_compared[name] = missing
    return Digests(packed, sizes, tuple(changed), tuple(candidates), counts, not_compared)


def _bits(name: str, description: Description | None) -> int:
    """Return how many bits of the ids of each text are kept."""
    if description is None or len(description.tokens) <= MANY:
        return 8
    if description.format == TOKENS_ALONE:  # which no reference reads
        return 4
    return 0 if name == TOKENS else 2


def _shortest(
    name: str, texts: Sequence[str], now: Sequence[Ids], rows: Collection[int]
) -> Iterator[ChangedText]:
    """Yield the shortest texts with these numbers, and their ids."""
    for row in sorted(rows, key=lambda row: (len(texts[row]), texts[row]))[:MAX_CHANGED]:
        yield ChangedText(name, texts[row], None, now[row])


def _rows_of_blocks(old: Digest, new: Digest) -> list[int]:
    """Return the numbers of all texts of blocks with the same texts and other results."""
    rows: list[int] = []
    start = 0
    for before, now in zip(old.blocks, new.blocks, strict=False):
        if before.texts == now.texts and before.results != now.results:
            rows += range(start, start + now.count)
        start += now.count
    return rows


def _ids(ids: Any, error: BaseException | None) -> Ids:
    if error is None:
        return tuple(ids)
    return error.reason if isinstance(error, TargetDeath) else type(error).__name__
