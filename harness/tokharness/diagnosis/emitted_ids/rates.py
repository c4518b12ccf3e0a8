"""How often ids change when their text is encoded again, and the worst sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.emitted_ids.retokenized import retokenize
from tokharness.diagnosis.emitted_ids.sequences import (
    CUT,
    PAIRS,
    PREFIXES,
    TRIPLES,
    emitted_sequences,
)
from tokharness.diagnosis.probes.calls import decode_all, reportable_ids
from tokharness.diagnosis.probes.id_sequences import is_utf8
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.diagnosis.emitted_ids.retokenized import Retokenized
    from tokharness.targets.subject import Subject

__all__ = ["drift_failure", "retokenized_by_kind"]

ByKind = dict[str, list["Retokenized"]]

SHOWN = 5
"""Sequences of a kind that are shown."""

LONGEST_EXAMPLE = 3
"""Ids of a sequence that the message shows."""


def retokenized_by_kind(subject: Subject) -> ByKind:
    """Decode and encode sequences of each kind; one that breaks a character is of kind CUT."""
    vocabulary = subject.vocabulary() if subject.target.can("decode_single_token_bytes") else None
    rows: ByKind = {kind: [] for kind in (PAIRS, TRIPLES, PREFIXES, CUT)}
    for kind, sequences in emitted_sequences(subject).items():
        for row in retokenize(sequences, subject):
            whole = PREFIXES if kind == CUT else kind
            rows[CUT if _is_cut(row, vocabulary) else whole].append(row)
    return rows


def _is_cut(row: Retokenized, vocabulary: Mapping[int, bytes] | None) -> bool:
    """Whether the sequence begins or ends inside a character."""
    if vocabulary is None:
        return "\ufffd" in row.text
    return not is_utf8(b"".join(vocabulary.get(number, b"") for number in row.ids))


def drift_failure(by_kind: ByKind, subject: Subject) -> Failure | None:
    """Return the fact with the rate of each kind and the worst sequences; None without any."""
    tried = {kind: rows for kind, rows in by_kind.items() if rows}
    if not tried:
        return None
    changed = {kind: [row for row in rows if row.changed] for kind, rows in tried.items()}
    rates = ", ".join(
        f"{len(changed[kind]) / len(rows):.1%} of {len(rows):,} {kind}"
        for kind, rows in tried.items()
    )
    message = f"ids that a model may emit change when their text is encoded again: {rates}"
    worst = {
        kind: sorted(rows, key=lambda row: -row.reach)[:SHOWN]
        for kind, rows in changed.items()
        if kind != CUT  # whose text has U+FFFD
    }
    shown = [row for rows in worst.values() for row in rows]
    if shown and len(shown[0].ids) <= LONGEST_EXAMPLE:
        message += f"; for example {shown[0].in_words()}"
    return Failure(
        Cause("drift of emitted ids", (), Verdict.FACT, message),
        count=sum(map(len, changed.values())),
        text=shown[0].text if shown else None,
        evidence={
            "tried": {kind: len(rows) for kind, rows in tried.items()},
            "changed": {kind: len(rows) for kind, rows in changed.items()},
            "worst": [
                {"kind": kind, **_record(row, subject)} for kind in worst for row in worst[kind]
            ],
        },
    )


def _record(row: Retokenized, subject: Subject) -> dict[str, Any]:
    tokens = decode_all([[number] for number in row.ids], subject)
    return {
        "ids": reportable_ids(row.ids),
        "tokens": ["" if isinstance(text, Raised) else text for text in tokens],
        "ids again": reportable_ids(row.again),
    }
