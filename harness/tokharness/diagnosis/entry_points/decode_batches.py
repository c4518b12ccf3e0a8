"""Whether ``decode_batch`` gives the texts that ``decode`` gives for each sequence of ids alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.entry_points.batch_rows import difference_of_rows
from tokharness.diagnosis.entry_points.contracts import entry_point_cause
from tokharness.diagnosis.probes.calls import decode_all
from tokharness.diagnosis.probes.id_sequences import invalid_ids
from tokharness.model import Failure, decoded_text
from tokharness.outcome import Raised, call

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.model import Batch, Cause
    from tokharness.targets.subject import Subject

DECODE_BATCH = "decode_batch"
CAUSE = entry_point_cause(DECODE_BATCH, "decode_batch disagrees with decode")

STRIDE = 4
"""Only every fourth row is decoded in a batch: a library may start threads for each batch."""

CUT = ("\U0001f9ff", "\ua9c5", "\U00013000")
"""Characters of three and four bytes, few of which have a token of their own."""

LARGEST_BATCH = 1031
"""Number of sequences in the largest batch; not a round number, as in batches of texts."""


def decode_batch_rows(batch: Batch, rows: Sequence[int], subject: Subject) -> list[int]:
    """Return the rows whose ids ``decode_batch`` and ``decode`` decode to different texts."""
    if not subject.target.can(DECODE_BATCH):
        return []
    if len(batch.texts) > 1:  # a text that is run alone is always decoded
        rows = rows[STRIDE - 1 :: STRIDE]
    rows = [row for row in rows if batch.decoded[row] is not None]
    sequences = [batch.ids[row] or [] for row in rows]
    if not rows or _in_batch(sequences, subject) == [batch.decoded[row] for row in rows]:
        return []
    return [row for row in rows if decode_batch_causes(batch.ids[row] or [], subject)]


def decode_batch_causes(ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the cause if ``decode_batch`` decodes these ids to another text than ``decode``."""
    if not subject.target.can(DECODE_BATCH):
        return []
    return [CAUSE] if any(_disagrees(one, subject) for one in _small_batches(ids, subject)) else []


def decode_batch_rows_of(ids: Sequence[Any], subject: Subject) -> tuple[list[Any], Any, Any]:
    """Return a small batch that fails, its first wrong text or its exception, and decode's text.

    The batch is empty if no small batch fails.
    """
    for sequences in _small_batches(ids, subject):
        if _disagrees(sequences, subject):
            return sequences, *_first_other(sequences, subject)
    return [], None, None


def _first_other(sequences: Sequence[Sequence[Any]], subject: Subject) -> tuple[Any, Any]:
    """Return the first wrong text of a batch, or its exception, and the text from ``decode``."""
    alone, got = decode_all(sequences, subject), _in_batch(sequences, subject)
    if isinstance(got, Raised):
        return got, alone[0]
    if len(got) != len(alone):
        return f"{len(got)} texts", f"{len(alone)} texts"
    pairs = zip(got, alone, strict=True)
    return next((pair for pair in pairs if pair[0] != pair[1]), (got[0], alone[0]))


def _small_batches(ids: Sequence[Any], subject: Subject) -> tuple[list[Any], list[Any]]:
    """Return a batch with the ids alone, and a batch with the ids among other sequences."""
    first = subject.encode("a") or []
    return [ids], [first, ids, [], ids]


def decode_batch_failures(texts: Sequence[str], subject: Subject) -> Iterator[Failure]:
    """Report the first batch that fails because of its size, its order or its other sequences.

    ``texts`` are plain texts whose ids are decoded.
    """
    if not subject.target.can(DECODE_BATCH):
        return
    for sequences in _batches(texts, subject):
        argument = [list(ids) for ids in sequences]
        subject.target.call(DECODE_BATCH, argument)
        if argument != sequences:
            message = "decode_batch changes the ids that it is called with"
            yield _failure(message, sequences, ("other ids after the call", "unchanged"), subject)
            return
        if problem := _disagrees(sequences, subject):
            message = f"decode_batch with {len(sequences):,} sequences {problem}"
            yield _failure(message, sequences, _first_other(sequences, subject), subject)
            return
    yield from _refused(subject)


def _batches(texts: Sequence[str], subject: Subject) -> list[list[list[Any]]]:
    """Batches of different sizes and shapes, and of sequences that a bad cache key confuses."""
    encoded = [ids for text in texts if (ids := subject.encode(text)) is not None]
    rows = [ids for ids in encoded if subject.decode(ids) is not None]
    longest = max(rows, key=len, default=[])
    many = [[*rows[n % len(rows)], *longest[: n % 7]] for n in range(LARGEST_BATCH) if rows]
    shapes = [[], rows, rows[::-1], [longest, []], [[], longest], rows[:1] * 9, [[]] * 3]
    return [*shapes, _twins(longest), _cut_rows(subject), many]


def _cut_rows(subject: Subject) -> list[list[Any]]:
    """Sequences that end inside a character, each followed by a whole letter."""
    letter = subject.encode("a") or []
    rows: list[list[Any]] = []
    for text in CUT:
        cut = (subject.encode(text) or [])[:-1]
        if cut and subject.decode(cut) is not None:
            rows += [cut, letter]
    return rows


def _twins(ids: list[Any]) -> list[list[Any]]:
    """Sequences that share their length, their start, their end, or all their ids."""
    if len(ids) < 5:
        return []
    a, b, c, d, e = ids[:5]
    twins = [[a, b, c, d], [a, c, b, d], [a, e, e, d], [a, b, c, e], [e, b, c, d]]
    return [*twins, [a, b, c], [b, c, d], [a, b, c, d, a]]


def _refused(subject: Subject) -> Iterator[Failure]:
    """Report ids outside the vocabulary that only one of ``decode`` and a batch refuses."""
    for numbers in invalid_ids(subject).values():
        for number in numbers[:3]:
            (alone,) = decode_all([[number]], subject)
            got = _in_batch([[number]], subject)
            if isinstance(alone, Raised) is not isinstance(got, Raised):
                how = "refuses" if isinstance(got, Raised) else "accepts"
                other = "accepts" if isinstance(got, Raised) else "refuses"
                message = f"decode_batch {how} the id {number}, which decode {other}"
                yield _failure(message, [[number]], (got, alone), subject)
                return


def _disagrees(sequences: Sequence[Sequence[Any]], subject: Subject) -> str:
    """Say how a batch differs from ``decode``; "" if it agrees, or if ``decode`` raises."""
    alone = decode_all(sequences, subject)
    if any(isinstance(text, Raised) for text in alone):
        return ""
    return difference_of_rows(_in_batch(sequences, subject), alone)


def _in_batch(sequences: Sequence[Sequence[Any]], subject: Subject) -> list[str] | Raised:
    """Return the texts that ``decode_batch`` gives, or the exception it raises."""
    rows = subject.target.call(DECODE_BATCH, list(map(list, sequences)))
    if isinstance(rows, Raised):
        return rows
    return call(lambda: list(map(decoded_text, rows)))  # type: ignore[no-any-return]


def _failure(
    message: str, sequences: Sequence[object], results: tuple[Any, Any], subject: Subject
) -> Failure:
    cause = entry_point_cause(DECODE_BATCH, message)
    evidence = compared_call(DECODE_BATCH, *results, subject)
    return Failure(cause, evidence=evidence | {"sequences": len(sequences)})
