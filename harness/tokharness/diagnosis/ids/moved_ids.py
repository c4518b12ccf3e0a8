"""Ids that a target stores in a type that is too small, or counts from another number.

The unknown token may have another id, too.

The texts of single tokens show by which number the ids of the target differ from those of the
reference, and from which id on. Then the reference's ids of any text predict the target's ids, and
the text of any ids. Of a decoder that moves ids, only the texts of single ids show it.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from tokharness.diagnosis.ids.altered_stages import altered_stage_causes
from tokharness.diagnosis.ids.compared_decoding import decode_column
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


# Moved ids in a decoder.

STEPS = (1, -1)
"""Numbers by which a decoder may move ids that the encoder does not move."""


def moved_text_causes(ids: Sequence[int], decoded: object, subject: Subject) -> list[Cause]:
    """Return the cause of a text that is the reference's text of the ids before they were moved.

    If the reference does not have one of them, the target refuses the ids.
    """
    move = decoding_move_of(subject)
    if move is None or not ids:
        return []
    text = moved_text(ids, subject)
    is_so = isinstance(decoded, Raised) if text is None else text == decoded
    return [_cause(move)] if is_so else []


def moved_text(ids: Sequence[int], subject: Subject) -> str | None:
    """Return the reference's text of ids before they were moved; None if it has not all of them.

    An id that the target has put before the moved ones has the text that it has alone.
    """
    move = decoding_move_of(subject)
    if move is None:
        return None
    parts = []
    for is_new, run in groupby(ids, lambda number: _before(number, move) is None):
        if is_new:
            parts += [subject.decode([number]) for number in run]
        else:
            parts.append(subject.reference_text([_before(number, move) for number in run]))
    return None if None in parts else "".join(map(str, parts))


def decoding_move_of(subject: Subject) -> Move | None:
    """Return how the target moves the ids that it decodes; None if it does not."""
    return subject.cache.get_or_compute("moved ids that decode", lambda: _decoding_move_of(subject))


def _before(number: int, move: Move) -> int | None:
    """Return the id of the reference that is moved to this id; None if there is none."""
    if number >= move.first + move.by:
        return number - move.by
    return None if number >= move.first else number


def _decoding_move_of(subject: Subject) -> Move | None:
    reference, target = subject.reference, subject.target
    size = None if reference is None else reference.n_vocab
    if reference is None or not size:
        return None
    # Of ids that are exchanged with their neighbours, each second one looks moved.
    step = -(-size // SAMPLE)
    numbers = sorted({*range(0, size, step), *range(1, size, step)})
    ours = _texts_of(numbers, target)
    differing = [n for n, text in _texts_of(numbers, reference).items() if text != ours[n]]
    if len(differing) < LEAST:
        return None
    # The first id with another text is between two ids of the sample.
    between = range(max(differing[0] - step, -1) + 1, differing[0] + 1)
    near = _texts_of(between, target)
    first = next(n for n, text in _texts_of(between, reference).items() if text != near[n])
    encoded = move_of(subject)
    steps = (Move(max(start, 0), by) for by in STEPS for start in (first - by, first))
    moves = steps if encoded is None or encoded.size else [encoded]
    return next((move for move in moves if _moves(move, ours | near, reference)), None)


def _moves(move: Move, texts: Mapping[int, object], reference: Target) -> bool:
    """Whether ids decode to the text of the reference's ids that are moved to them."""
    before = {number: old for number in texts if (old := _before(number, move)) is not None}
    theirs = _texts_of([*before.values()], reference)
    return all(texts[number] == theirs[old] for number, old in before.items())


def _texts_of(numbers: Sequence[int], side: Target) -> dict[int, object]:
    """Return the text of each id alone, or None if decoding it raises."""
    texts = decode_column([[number] for number in numbers], side)
    pairs = zip(numbers, texts, strict=True)
    return {number: text if isinstance(text, str) else None for number, text in pairs}


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
