"""Whether a cause predicts what the target decodes ids to; one that does not is a symptom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.ids.altered_stages import text_with_alteration
from tokharness.diagnosis.ids.decoding_rules import agrees, plain_sequences, ways_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.diagnosis.ids.decoding_differences import Difference
    from tokharness.diagnosis.ids.decoding_rules import Gives
    from tokharness.model import Cause
    from tokharness.targets.subject import Subject

__all__ = ["may_explain", "predicts_decoding"]

SAMPLE = 40
"""Sequences of a cause that are predicted."""

MOST_WRONG = 0.05
"""Share of sequences of each kind for which the prediction may be wrong: they have two faults."""

OF_CHARACTERS = ("dropped characters", "replaced characters")


def predicts_decoding(cause: Cause, differing: Sequence[Difference], subject: Subject) -> bool:
    """Whether a cause gives the target's text for differing sequences, and for plain equal ones.

    A cause that two calls of the target itself have shown predicts it.
    """
    if cause.weak:
        return False
    ways = _ways(cause, subject)
    rows = [(one.ids, one.got, one.want) for one in differing]
    failing = [row for row in rows[:: -(-len(rows) // SAMPLE) or 1] if isinstance(row[2], str)]
    equal = [row for row in plain_sequences(subject) if row[1] == row[2]]
    return (
        not ways
        or not failing
        or any(_is_right(gives, failing) and _is_right(gives, equal) for gives in ways)
    )


def may_explain(cause: Cause, difference: Difference, subject: Subject) -> bool:
    """Whether a cause gives the target's text for these ids, if it gives a text."""
    ways = _ways(cause, subject)
    ids, got, want = difference.ids, difference.got, difference.want
    return not ways or any(agrees(gives(ids, want), got) for gives in ways)


def _is_right(gives: Gives, rows: Sequence[tuple[Sequence[Any], Any, str]]) -> bool:
    wrong = sum(not agrees(gives(ids, want), got) for ids, got, want in rows)
    return wrong <= MOST_WRONG * len(rows)


def _ways(cause: Cause, subject: Subject) -> list[Gives]:
    """Return the ways in which a cause may give a text; none if its diagnosis has shown it."""
    if rules := ways_of(cause, subject):
        return rules
    if what := dict(cause.parameters).get("altered"):
        return [lambda ids, _: text_with_alteration(what, ids, subject)]
    if str(cause).removeprefix("decoder: ").startswith(OF_CHARACTERS):
        known = subject.discoveries.known_characters("round trip")
        table = {ord(old): new for old, new in known.items()}
        return [lambda _, want: want.translate(table)]
    return []
