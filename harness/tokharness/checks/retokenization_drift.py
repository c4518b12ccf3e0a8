r"""Encoding a decoded text gives different ids.

Why it matters: conversations are decoded, stored and encoded again. If this changes the ids, cached
prefixes miss, log probabilities belong to other tokens, and reinforcement learning trains on tokens
that the model did not write.

Oracle: invariant of one target: ``encode(decode(ids)) == ids``, if ``decode`` gives the declared
normal form of a text. If it gives the text itself, this is determinism (TOK109); if it gives
anything else, TOK101 reports it. Lone surrogates are not characters and are not compared.

Verdicts: *risk* if the ids change once and then stay (*settle*), for example because the normalizer
runs after the text is split. *Bug* if they change in each round: they come back to earlier ids
(*alternate*), or do not (*keep changing*).

Example: a tokenizer that splits the text before it composes it::

    TOK113 risk  drift: settle   "e\u{301}"

What to do: normalize first, then split.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.checks.special_id_from_plain_text import has_special_id
from tokharness.diagnosis.state import STATE
from tokharness.model import Batch, Cause, Verdict
from tokharness.outcome import Raised, called
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
    "the decoded text of some ids is encoded into others, which then stay",
)
ALTERNATES = Cause(
    "drift",
    (("ids", "alternate"),),
    message="ids change each time they are decoded and encoded again, and come back",
)
KEEPS_CHANGING = Cause(
    "drift",
    (("ids", "keep changing"),),
    message="ids change each time they are decoded and encoded again",
)


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows that come back in their declared form, and have other ids then."""
    if subject.target.normalizer is None or batch.decoded == batch.texts:
        return []
    return [
        row
        for row in batch.sampled
        if (decoded := batch.decoded[row]) is not None
        and decoded != batch.texts[row]
        and _drifts(batch.texts[row], batch.ids[row] or [], decoded, subject)
    ]


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """How the ids of this text go on."""
    gone = subject.try_round_trip(text)
    if gone is None:
        return []
    ids, decoded = gone
    if decoded == text or not _drifts(text, ids, decoded, subject):
        return []
    if subject.try_encode(text) != ids:
        return [STATE]
    return [_goes_on(ids, subject)]


def _drifts(text: str, ids: list[int], decoded: str, subject: Subject) -> bool:
    return (
        is_scalar(text)
        and decoded == subject.expected(text)
        and not has_special_id(ids, subject)  # what that is, TOK103 tells
        and subject.try_encode(decoded) not in (ids, None)
    )


def _goes_on(ids: list[int], subject: Subject) -> Cause:
    seen = [ids]
    for _ in range(ROUNDS):
        decoded = called(subject.target.decode, seen[-1])
        again = None if isinstance(decoded, Raised) else subject.try_encode(decoded)
        if again is None or again == seen[-1]:
            return SETTLES
        if again in seen:
            return ALTERNATES
        seen.append(again)
    return KEEPS_CHANGING
