r"""Encoding a decoded text gives different ids.

Why it matters: conversations are decoded, stored and encoded again. If this changes the ids, cached
prefixes miss, log probabilities belong to other tokens, and reinforcement learning trains on tokens
that the model did not write.

Oracle: invariant of one target: ``encode(decode(ids)) == ids``. For the ids of a text it must hold
if ``decode`` gives the declared normal form. If ``decode`` gives the text itself, TOK109 compares
the ids; if it gives anything else, TOK101 reports it. Lone surrogates are not characters and are
not compared. Ids that a model emits need not be the ids of a text: their rates of change are
reported, and compared with the reference's rates for ids that both decode to the same text.

How it works: the check also decodes sequences of ids, without special ids, and encodes their texts:
pairs and triples of tokens, half of them from running text and half from the whole vocabulary;
prefixes of the encodings of prose, code and names in all languages; and sequences that begin or end
inside a character. In the worst sequences most ids change, counted from the end; among equals,
sequences of frequent tokens come first. Each sequence is decoded alone, so a tokenizer that reads
the beginning of a text as the beginning of a word changes more of them.

Verdicts: *fact*, once, for *drift of emitted ids*, with the rate for each kind of sequence: byte
pair encoding merges tokens that a model has written apart. *Risk* if more of these sequences change
than with the reference, although the ids of no case differ from the reference's (TOK201). *Bug* if
the text of emitted ids changes, although the normalizer does not declare the change and the
reference does not make it, with the causes of TOK101, unless a case shows the same change.

For the ids of texts, *risk* if they change once and then stay (*settle*), for example because the
normalizer runs after the text is split; a *fact*, reported once, if the ids of the reference that
reads the same file do the same. *Bug* if they change in each round and return to earlier ids
(*alternate*) or do not (*keep changing*).

Example: a tokenizer that splits the text before it composes it::

    TOK113 risk  drift: settle   "e\u{301}"

What to do: keep the ids that the model has written next to the text, and continue from them. If the
ids of texts settle, normalize first, then split. For a risk above the reference, compare target and
reference on the text that is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.checks.retokenization_drift.changed_texts import (
    changed_text_failures,
    drift_above_reference,
)
from tokharness.checks.retokenization_drift.sequences import drift_failure, retokenized_by_kind
from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.special.special_ids import has_special_id
from tokharness.diagnosis.state import state_cause
from tokharness.model import Batch, Cause, Failure, Verdict
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK113"
NAME = "retokenization-drift"
COLUMNS = ("decoded",)

__all__ = ["CODE", "COLUMNS", "NAME", "audit", "diagnose", "evidence", "failing"]

ROUNDS = 8

SETTLES = Cause(
    "drift",
    (("ids", "settle"),),
    Verdict.RISK,
    "decoded text is encoded as different ids, which then stay the same",
)
SETTLES_AS_DECLARED = Cause(
    "drift",
    (("ids", "settle"),),
    Verdict.FACT,
    "decoded text is encoded as different ids, which then stay the same, with the reference too: "
    "what the normalizer declares to make of a text, it changes again",
)
ALTERNATES = Cause(
    "drift",
    (("ids", "alternate"),),
    message="ids change each time they are decoded and encoded again, and return to earlier ones",
)
KEEPS_CHANGING = Cause(
    "drift",
    (("ids", "keep changing"),),
    message="ids change each time they are decoded and encoded again, of this text or of one with "
    "more of what it loses",
)


def audit(subject: Subject) -> Iterator[Failure]:
    """Report how often emitted ids change, and the faults among these changes."""
    by_kind = retokenized_by_kind(subject)
    rows = [row for of_kind in by_kind.values() for row in of_kind]
    failures = (drift_failure(by_kind, subject), drift_above_reference(rows, subject))
    yield from (failure for failure in failures if failure is not None)
    yield from changed_text_failures(rows, subject)


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose text comes back in its declared form, which has different ids."""
    if subject.target.normalizer is None or batch.decoded == batch.texts:
        return []
    return [
        row
        for row in batch.sampled_rows
        if (decoded := batch.decoded[row]) is not None
        and decoded != batch.texts[row]
        and _drifts(batch.texts[row], batch.ids[row] or [], decoded, subject)
    ]


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the cause that says how the ids of this text change in further rounds."""
    round_trip = subject.round_trip(text)
    if round_trip is None:
        return []
    ids, decoded = round_trip
    if decoded == text or not _drifts(text, ids, decoded, subject):
        return []
    if subject.encode(text) != ids:
        return [state_cause(subject)]
    cause = _cause(ids, subject)
    if cause != SETTLES:
        return [cause]
    # If each round loses a space, a text with one space settles, although the fault is the same.
    more = _with_more(ids, decoded, subject)
    repeated = None if more is None else subject.encode(more)
    again = SETTLES if repeated is None else _cause(repeated, subject)
    is_declared = again == SETTLES and _reference_agrees([text, decoded], subject)
    return [SETTLES_AS_DECLARED if is_declared else again]


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return the ids of a text, and the ids of the text that they decode to."""
    round_trip = subject.round_trip(text)
    if round_trip is None or cause.verdict is Verdict.FACT:
        return {}
    ids, decoded = round_trip
    given = subject.target.encode(decoded)
    name = subject.target.entry_point
    return {"text": decoded, **compared_call(name, given, ids, subject)} if given != ids else {}


def _reference_agrees(texts: list[str], subject: Subject) -> bool:
    """Whether the reference that reads the same file has the ids of the target."""
    if subject.claims_parity or subject.reference is None:
        return False
    return all(subject.encode(text) == subject.reference_ids(text) for text in texts)


def _with_more(ids: list[int], decoded: str, subject: Subject) -> str | None:
    """Return the decoded text with more of the tokens that encoding it lost; None without any."""
    kept = subject.encode(decoded) or []
    number = len(ids) - len(kept)
    if number > 0 and ids[number:] == kept:
        lost = subject.decode(ids[:number] * (ROUNDS + 3))
        return None if lost is None else lost + decoded
    if number > 0 and ids[: len(kept)] == kept:
        lost = subject.decode(ids[len(kept) :] * (ROUNDS + 3))
        return None if lost is None else decoded + lost
    return None


def _drifts(text: str, ids: list[int], decoded: str, subject: Subject) -> bool:
    return (
        is_scalar(text)
        and decoded == subject.expected_text(text)
        and not has_special_id(ids, subject)  # TOK103 reports these
        and subject.encode(decoded) not in (ids, None)
    )


def _cause(ids: list[int], subject: Subject) -> Cause:
    """Decode and encode for some rounds, and compare the ids with the ids of earlier rounds."""
    rounds = [ids]
    for _ in range(ROUNDS):
        decoded = subject.decode(rounds[-1])
        encoded = None if decoded is None else subject.encode(decoded)
        if encoded is None or encoded == rounds[-1]:
            return SETTLES
        if encoded in rounds:
            return ALTERNATES
        rounds.append(encoded)
    return KEEPS_CHANGING
