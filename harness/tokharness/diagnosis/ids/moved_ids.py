"""Ids that a target stores in a type that is too small, or counts from another number.

The unknown token may have another id, too.

The texts of single tokens show by which number the ids of the target differ from those of the
reference, and from which id on. Then the ids of any text follow from those of the reference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tokharness.diagnosis.ids.altered_stages import altered_stage_causes
from tokharness.diagnosis.ids.stages import MODEL
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.diagnosis.special.special_ids import RARE
from tokharness.model import Cause
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

MOVED = "moved ids"
"""Kind of the cause."""

SAMPLE, LEAST, TRIED = 256, 8, 3
"""Tokens that are encoded, the least of them whose ids are moved, and those tried with settings."""

SIZES = (2**8, 2**16)
"""Numbers of ids that fit into a type."""


class Move(NamedTuple):
    """Adds ``by`` to each id from ``first`` on; a remainder is taken if ``size`` is not zero."""

    first: int = 0
    by: int = 0
    size: int = 0

    def __call__(self, number: int) -> int:
        """Return the id of the target for an id of the reference."""
        if self.size:
            return number % self.size
        return number + self.by if number >= self.first else number


def moved_id_causes(ids: Sequence[int], wanted: Sequence[int], subject: Subject) -> list[Cause]:
    """Return the cause of ids that are those of the reference, moved as the ids of tokens are."""
    if len(ids) != len(wanted) or list(ids) == list(wanted):
        return []
    move = move_of(subject)
    return [_cause(move)] if move and list(ids) == [move(number) for number in wanted] else []


def move_of(subject: Subject) -> Move | None:
    """Return how the target moves the ids of the reference; None if it does not.

    A setting of the reference that gives these ids, such as the place of special tokens, says more:
    then the ids are not said to be moved.
    """
    return subject.cache.get_or_compute("moved ids", lambda: _move_of(subject))


def _cause(move: Move) -> Cause:
    if move.size:
        how = f"modulo {move.size:,}"
        message = f"each id is that of the reference modulo {move.size:,}, as in a small type"
    else:
        how = f"{move.by:+,} from {move.first:,}"
        than = "less" if move.by < 0 else "more"
        message = (
            f"each id from {move.first:,} on is {abs(move.by):,} {than} than that of the reference"
        )
    return Cause(MOVED, (("by", how),), message=message)


def _move_of(subject: Subject) -> Move | None:
    reference = subject.reference
    size = None if reference is None else reference.n_vocab
    if reference is None or not size:
        return None
    rows = _single_ids(range(0, size, -(-size // SAMPLE)), reference, subject)
    moved = {number: got for number, got in rows.items() if got != number}
    if len(moved) < LEAST:
        return None
    small = (Move(size=modulus) for modulus in SIZES)
    move = next((one for one in small if _is_move(one, rows)), None)
    move = move or _constant_move(rows, min(moved), reference, subject)
    return None if move is None or _is_setting(moved, subject) else move


def _is_move(move: Move, rows: Mapping[int, int]) -> bool:
    return all(got == move(number) for number, got in rows.items())


def _constant_move(
    rows: Mapping[int, int], moved: int, reference: Target, subject: Subject
) -> Move | None:
    """Return the move by a constant from some id on; the id ``moved`` is known to be moved."""
    if not _is_move(Move(moved, rows[moved] - moved), rows):
        return None
    before = max((number for number in rows if number < moved), default=-1)
    between = _single_ids(range(before + 1, moved), reference, subject)
    first = min((number for number, got in between.items() if got != number), default=moved)
    move = Move(first, rows[moved] - moved)
    return move if _is_move(move, between) else None


def _is_setting(moved: Mapping[int, int], subject: Subject) -> bool:
    """Whether one altered setting of the reference gives the ids of some of these tokens."""
    causes = (
        altered_stage_causes(subject.reference_text([number]) or "", [moved[number]], subject)
        for number in sorted(moved)[:: -(-len(moved) // TRIED)]
    )
    found = [{cause for cause in row if not cause.weak} for row in causes]
    return bool(set.intersection(*found))


def _single_ids(numbers: Iterable[int], reference: Target, subject: Subject) -> dict[int, int]:
    """Return the target's id for the text of each token that is a single token on both sides."""
    special = set(subject.special_tokens.values())
    texts: dict[int, str] = {}
    for number in numbers:
        text = subject.reference_text([number])
        if text and number not in special and reference.encode(text) == [number]:
            texts[number] = text
    rows = zip(texts, encode_all(list(texts.values()), subject), strict=True)
    return {n: ids[0] for n, ids in rows if not isinstance(ids, Raised) and len(ids) == 1}


# The unknown token.

UNKNOWN = "unknown id"


def unknown_id_causes(ids: Sequence[int], wanted: Sequence[int], subject: Subject) -> list[Cause]:
    """Return the cause of ids that differ from the reference's in the unknown token alone."""
    found = unknown_ids_of_both(subject)
    if found is None or list(ids) != [found.get(number, number) for number in wanted]:
        return []
    ((theirs, ours),) = found.items()
    what = f"unknown text gets the id {ours:,}"
    message = f"{what}, and the id of the unknown token is {theirs:,}"
    return [Cause(MODEL, ((UNKNOWN, what),), message=message)]


def unknown_ids_of_both(subject: Subject) -> dict[int, int] | None:
    """Return the reference's id of the unknown token, with another one of the target.

    Rare texts show it: most of them have no token of their own. None if both have the same id.
    """
    return subject.cache.get_or_compute("ids of the unknown token", lambda: _unknown(subject))


def _unknown(subject: Subject) -> dict[int, int] | None:
    unknown = None if subject.reference is None else subject.reference.unknown_id
    if unknown is None:
        return None
    found: set[int] = set()
    for text in RARE:
        ids, wanted = subject.encode(text) or [], subject.reference_ids(text) or []
        pairs = zip(wanted, ids, strict=False)
        found.update(ours for theirs, ours in pairs if theirs == unknown)
    return {unknown: found.pop()} if len(found) == 1 and unknown not in found else None
