"""Take the digests of the bodies of texts, and find the texts whose ids changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.calls import encode_all
from tokharness.diagnosis.reachability.own_texts import encode_own_texts
from tokharness.edits import TOKENS_ALONE
from tokharness.engine.worker.bodies import TOKENS, bodies
from tokharness.errors import TargetDeath
from tokharness.outcome import Raised
from tokharness.targets.digests import confirmed, digest_of, first_difference
from tokharness.targets.packed_digests import pack, unpack
from tokharness.targets.snapshot import ChangedText

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tokharness.engine.worker.other_ids import EarlierIds
    from tokharness.model import Description
    from tokharness.targets.digests import Difference, Digest
    from tokharness.targets.snapshot import EarlierState, Ids
    from tokharness.targets.subject import Subject

__all__ = ["MAX_CHANGED", "Digests", "take_digests"]

MAX_CHANGED = 20_000
"""Texts of a body that are looked at: the shortest ones."""

MANY, MOST = 50_000, 150_000
"""Tokens of a large file, and of a very large one: they need the space of a baseline."""


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
    earlier_ids: EarlierIds | None = None,
) -> Digests:
    """Encode the texts of each body; for ``description`` see :func:`bodies`.

    With a file the texts that changed are found by the reference of the old file, so few bits of
    each text are kept next to a large one. Of a target that shows none, ``earlier_ids`` guesses
    what the ids of a text were, and the digests confirm it.
    """
    packed, sizes, counts, not_compared = {}, {}, {}, {}
    changed: list[ChangedText] = []
    candidates: list[ChangedText] = []
    for name, texts in bodies(subject, description):
        results = (encode_own_texts if name == TOKENS else encode_all)(texts, subject)
        ids, errors = _ids_and_errors(results)
        digest = digest_of(texts, ids, errors=errors)
        packed[name], sizes[name] = pack(digest, _bits(name, description)), len(texts)
        if earlier is None or name not in earlier.bodies:
            continue
        body = _Body(name, texts, ids, errors, unpack(earlier.bodies[name]))
        difference = first_difference(body.before, digest)
        if difference or difference.not_run:
            blocks = set(_rows_of_blocks(body.before, digest))
            known = {} if earlier_ids is None else _earlier(body, earlier_ids, difference, blocks)
            rows = known.keys() | set(difference.rows)
            located = list(_shortest(body, rows, known))
            changed += located
            candidates += [*located, *_shortest(body, blocks - rows, {})][:MAX_CHANGED]
            if difference:
                counts[name] = len(rows) + sum(
                    rows.isdisjoint(range(*one)) for one in difference.ranges
                )
        if missing := difference.other_texts + difference.not_run:
            not_compared[name] = missing
    return Digests(packed, sizes, tuple(changed), tuple(candidates), counts, not_compared)


def _ids_and_errors(results: Sequence[Any]) -> tuple[list[Any], dict[int, BaseException]]:
    """Return the ids of each text, None where the target raised, and by row what it raised."""
    ids, errors = list(results), {}
    for row in [row for row, kind in enumerate(map(type, results)) if kind is Raised]:
        ids[row], errors[row] = None, results[row].error
    return ids, errors


def _bits(name: str, description: Description | None) -> int:
    """Return how many bits of the ids of each text are kept."""
    if description is None or len(description.tokens) <= MANY:
        return 8
    if description.format == TOKENS_ALONE:  # which no reference reads
        return 4 if len(description.tokens) <= MOST else 1
    return 0 if name == TOKENS else 2


@dataclass(frozen=True, slots=True)
class _Body:
    """The results of the texts of a body, and the earlier digest of them."""

    name: str
    texts: Sequence[str]
    ids: Sequence[Any]
    errors: Mapping[int, BaseException]
    before: Digest

    def confirmed(
        self, guesses: Mapping[int, Any], *, with_bits: bool
    ) -> dict[int, tuple[int, ...]]:
        """Return the guesses of earlier ids that the digest confirms."""
        known = {row: guess for row, guess in guesses.items() if guess is not None}
        errors = self.errors
        return confirmed(self.before, self.texts, self.ids, known, errors, with_bits=with_bits)


def _earlier(
    body: _Body, earlier_ids: EarlierIds, difference: Difference, blocks: Collection[int]
) -> dict[int, tuple[int, ...]]:
    """Return the earlier ids of located texts, and of others of their blocks, if confirmed.

    A text whose tokens have moved has changed, although its bits may be equal by chance.
    """
    texts, ids = body.texts, body.ids
    encoded = [row for row in {*difference.rows, *blocks} if _are_ids(ids[row])]
    moved = {row: earlier_ids.of_moved(texts[row], ids[row]) for row in encoded}
    known = body.confirmed(moved, with_bits=True)
    if body.name == TOKENS:  # of which many may have had other ids than their own
        own = {row: earlier_ids.of_token(texts[row]) for row in difference.rows}
        known |= body.confirmed({**own, **known}, with_bits=False)
    return known


def _are_ids(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(type(number) is int for number in value)


def _shortest(
    body: _Body, rows: Collection[int], known: Mapping[int, tuple[int, ...]]
) -> Iterator[ChangedText]:
    """Yield the shortest texts with these numbers, their earlier ids if known, and their ids."""
    texts = body.texts
    for row in sorted(rows, key=lambda row: (len(texts[row]), texts[row]))[:MAX_CHANGED]:
        after = _ids(body.ids[row], body.errors.get(row))
        yield ChangedText(body.name, texts[row], known.get(row), after)


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
