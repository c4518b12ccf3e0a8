r"""Encoding a decoded text gives different ids.

Why it matters: conversations are decoded, stored and encoded again. If this changes the ids, cached
prefixes miss, log probabilities belong to other tokens, and reinforcement learning trains on tokens
that the model did not write.

Oracle: invariant of one target: ``encode(decode(ids)) == ids``, if ``decode`` gives the declared
normal form of a text. If ``decode`` gives the text itself, TOK109 compares the ids; if it gives
anything else, TOK101 reports it. Lone surrogates are not characters and are not compared.

Verdicts: *risk* if the ids change once and then stay (*settle*), for example because the normalizer
runs after the text is split; a *fact*, reported once, if those of the reference that reads the same
file do the same. *Bug* if they change in each round: they come back to earlier ids
(*alternate*), or do not (*keep changing*).

Example: a tokenizer that splits the text before it composes it::

    TOK113 risk  drift: settle   "e\u{301}"

What to do: normalize first, then split.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.checks.special_id_from_plain_text import has_special_id
from tokharness.diagnosis.state import state_cause
from tokharness.model import Batch, Cause, Verdict
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

CODE = "TOK113"
NAME = "retokenization-drift"
COLUMNS = ("decoded",)

__all__ = ["CODE", "COLUMNS", "NAME", "diagnose", "failing"]

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
    # If each round loses a space, a text with one of them settles: the same fault.
    more = _with_more(ids, decoded, subject)
    repeated = None if more is None else subject.encode(more)
    again = SETTLES if repeated is None else _cause(repeated, subject)
    is_declared = again == SETTLES and _reference_agrees([text, decoded], subject)
    return [SETTLES_AS_DECLARED if is_declared else again]


def _reference_agrees(texts: list[str], subject: Subject) -> bool:
    """Whether the reference that reads the same file has the ids of the target."""
    if subject.claims_parity or subject.reference is None:
        return False
    return all(subject.encode(text) == subject.reference_ids(text) for text in texts)


def _with_more(ids: list[int], decoded: str, subject: Subject) -> str | None:
    """Return the decoded text with more of the tokens that encoding it lost; None if it is none."""
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
    """Decode and encode for some rounds, and compare with the ids of the rounds before."""
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
