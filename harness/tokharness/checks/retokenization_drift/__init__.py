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
(*alternate*) or do not (*keep changing*). A decoder of the file that does not undo the stages
before it is the cause, as in TOK101.

Example: a tokenizer that splits the text before it composes it::

    TOK113 risk  drift: settle   "e\u{301}"

What to do: keep the ids that the model has written next to the text, and continue from them. If the
ids of texts settle, normalize first, then split. For a risk above the reference, compare target and
reference on the text that is shown.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from tokharness.boundary.values import all_exact
from tokharness.checks.retokenization_drift.sequences import drift_failure, retokenized_by_kind
from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.entry_points.affixes import (
    padding_id,
    without_affixes,
    without_padding,
)
from tokharness.diagnosis.ids.stages import DECODER
from tokharness.diagnosis.probes.calls import decode_all, encode_all, reportable_ids
from tokharness.diagnosis.special.special_ids import has_special_id, unknown_ids
from tokharness.diagnosis.state import state_cause
from tokharness.diagnosis.text.round_trip import round_trip_causes
from tokharness.model import Batch, Cause, Failure, Verdict
from tokharness.outcome import Raised
from tokharness.targets.subject import is_scalar
from tokharness.targets.subject_state import SubjectState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.checks.retokenization_drift.sequences import Retokenized
    from tokharness.targets.subject import Subject

__all__ = ["CODE", "COLUMNS", "NAME", "audit", "diagnose", "evidence", "failing"]

CODE = "TOK113"
NAME = "retokenization-drift"
COLUMNS = ("decoded",)


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
    subject = without_padding(subject)
    by_kind = retokenized_by_kind(subject)
    rows = [row for of_kind in by_kind.values() for row in of_kind]
    failures = (drift_failure(by_kind, subject), drift_above_reference(rows, subject))
    yield from (failure for failure in failures if failure is not None)
    yield from changed_text_failures(rows, subject)


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose text comes back in its declared form, which has different ids."""
    if subject.target.normalizer is None or batch.decoded == batch.texts:
        return []
    if padding_id(subject) is not None:
        return _failing_without_padding(batch, without_padding(subject))
    return [
        row
        for row in batch.sampled_rows
        if (decoded := batch.decoded[row]) is not None
        and decoded != batch.texts[row]
        and _drifts(batch.texts[row], batch.ids[row] or [], decoded, subject)
    ]


def _failing_without_padding(batch: Batch, subject: Subject) -> list[int]:
    rows = []
    for row in batch.sampled_rows:
        text, round_trip = batch.texts[row], subject.round_trip(batch.texts[row])
        if round_trip is not None and round_trip[1] != text and _drifts(text, *round_trip, subject):
            rows.append(row)
    return rows


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the cause that says how the ids of this text change in further rounds."""
    subject = without_padding(subject)
    round_trip = subject.round_trip(text)
    if round_trip is None:
        return []
    ids, decoded = round_trip
    if decoded == text or not _drifts(text, ids, decoded, subject):
        return []
    if subject.encode(text) != ids:
        return [state_cause(subject)]
    cause = _cause(ids, subject)
    if cause == SETTLES:
        # If each round loses a space, a text with one space settles, with the same fault.
        more = _with_more(ids, decoded, subject)
        repeated = None if more is None else subject.encode(more)
        cause = SETTLES if repeated is None else _cause(repeated, subject)
    if cause != SETTLES:
        return _decoder_causes(text, decoded, subject) or [cause]
    is_declared = not subject.claims_parity and _reference_agrees([text, decoded], subject)
    return [SETTLES_AS_DECLARED if is_declared else cause]


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
    """Whether the reference, if there is one, has the ids of the target."""
    return subject.reference is not None and all(
        subject.encode(text) == subject.reference_ids(text) for text in texts
    )


def _decoder_causes(text: str, decoded: str, subject: Subject) -> list[Cause]:
    """Return the fault of the file's decoder that changes a text in each round, if there is one."""
    if not _reference_agrees([text, decoded], subject):
        return []
    causes = round_trip_causes(text, subject)
    return [one for one in causes if one.kind == DECODER and one.verdict is Verdict.BUG]


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


# Texts of the cases of a run, in parts, from all families in turn.

PART, MOST = 100, 40_000
"""Number of texts in a part, and in all parts together."""

LONGEST = 200
"""Longest text, in characters; longer texts take too much time."""


def texts_of_cases(subject: Subject) -> Iterator[list[str]]:
    """Yield the next texts of each family in turn, without long texts and texts with surrogates.

    The checks of texts run on all cases, and report the faults that such a text shows.
    """
    number = 0
    families = [iter(cases()) for cases in subject.cases.values()]
    while families and number < MOST:
        for family in tuple(families):
            part = [case.text for case in islice(family, PART)]
            if not part:
                families.remove(family)
            number += len(part)
            yield [text for text in part if _is_usual(text)]


def _is_usual(text: str | bytes) -> bool:
    return isinstance(text, str) and len(text) <= LONGEST and is_scalar(text)


# Ids that change when their text is encoded again, although the reference's ids do not.


def drift_above_reference(rows: Sequence[Retokenized], subject: Subject) -> Failure | None:
    """Return the risk, if more sequences change with the target than with the reference.

    Sequences that target and reference decode differently are left out, since TOK202 reports them.
    If the ids of a case differ too, TOK201 reports why.
    """
    if subject.reference is None:
        return None
    other = replace(subject, target=subject.reference, reference=None, state=SubjectState())
    changed = _differing([row for row in rows if row.changed], subject, other)
    if not changed:
        return None
    kept = _differing([row for row in rows if not row.changed], subject, other)
    if len(changed) <= len(kept) or _differs_on_a_case(subject, other):
        return None
    smallest = min(changed, key=lambda row: (len(row.ids), len(row.text), row.ids))
    (expected,) = _ids_by(other, [smallest.text], subject)
    return Failure(
        Cause(
            "drift of emitted ids",
            (("rate", "above that of the reference"),),
            Verdict.RISK,
            f"of {len(rows):,} sequences of ids that a model may emit, {len(changed):,} change "
            "when their text is encoded again, and do not with the reference; for example "
            f"{smallest.in_words()}",
        ),
        count=len(changed),
        text=smallest.text,
        evidence={
            **compared_call(subject.target.entry_point, smallest.again, expected, subject),
            "ids": reportable_ids(smallest.ids),
        },
    )


def _differing(rows: Sequence[Retokenized], subject: Subject, other: Subject) -> list[Retokenized]:
    """Return rows that the reference decodes to the same text, which it encodes differently.

    Either the target changes the ids and the reference does not, or the reverse.
    """
    texts = decode_all([row.ids for row in rows], other)
    same = [row for row, text in zip(rows, texts, strict=True) if row.text == text]
    encoded = _ids_by(other, [row.text for row in same], subject)
    return [
        row
        for row, ids in zip(same, encoded, strict=True)
        if ids is not None and row.changed is (ids == row.ids)
    ]


def _ids_by(other: Subject, texts: Sequence[str], subject: Subject) -> list[list[Any] | None]:
    """Return the reference's ids of the declared form of each text, without its affixes."""
    encoded = encode_all([subject.text_for_reference(text) for text in texts], other)
    return [None if isinstance(ids, Raised) else without_affixes(ids, other) for ids in encoded]


def _differs_on_a_case(subject: Subject, other: Subject) -> bool:
    """Whether the reference encodes a case of the run differently."""
    for texts in texts_of_cases(subject):
        rows = zip(encode_all(texts, subject), _ids_by(other, texts, subject), strict=True)
        for ids, wanted in rows:
            one_raises = isinstance(ids, Raised) or wanted is None
            if not one_raises and without_affixes(ids, subject) != wanted:
                return True
    return False


MOST_DIAGNOSED = 50
"""Number of texts that are diagnosed, of emitted ids and of cases."""


def changed_text_failures(rows: Sequence[Retokenized], subject: Subject) -> Iterator[Failure]:
    """Yield a bug for each cause of a changed text, the most common cause first.

    Texts that come back as declared, or as with the reference, are left out, and so are kinds of
    causes that a case shows too, since the check of texts reports them.
    """
    left = [
        (row, text, causes)
        for row, text in islice(_changed(rows, subject), MOST_DIAGNOSED)
        if (causes := _bugs(row.text, subject))
    ]
    wanted = {cause.kind for _, _, causes in left for cause in causes}
    reported = _kinds_of_cases(wanted, subject) if wanted else set()
    left = [one for one in left if reported.isdisjoint(cause.kind for cause in one[2])]
    while left:
        counts = Counter(cause for _, _, causes in left for cause in causes)
        [(cause, _)] = counts.most_common(1)
        shown = [one for one in left if cause in one[2]]
        left = [one for one in left if cause not in one[2]]
        row, text, _ = min(shown, key=lambda one: (len(one[0].text), one[0].ids))
        message = f"the text of ids that a model may emit changes: {cause.message}"
        yield Failure(
            Cause(cause.kind, cause.parameters, cause.verdict, message),
            count=len(shown),
            text=row.text,
            evidence={
                **compared_call("decode", text, row.text, subject, row.again),
                "ids": reportable_ids(row.ids),
                "ids again": reportable_ids(row.again),
                "text again": text,
            },
        )


def _changed(rows: Sequence[Retokenized], subject: Subject) -> Iterator[tuple[Retokenized, str]]:
    """Yield the rows whose text changes, with what it becomes."""
    known = [row for row in rows if row.changed and unknown_ids(subject).isdisjoint(row.again)]
    for row, text in zip(known, decode_all([row.again for row in known], subject), strict=True):
        if isinstance(text, Raised) or text in (row.text, subject.expected_text(row.text)):
            continue
        ids = subject.reference_ids(row.text)
        if ids is None or subject.reference_text(ids) != text:
            yield row, text


def _bugs(text: str, subject: Subject) -> list[Cause]:
    return [cause for cause in round_trip_causes(text, subject) if cause.verdict is Verdict.BUG]


def _kinds_of_cases(wanted: set[str], subject: Subject) -> set[str]:
    """Return the kinds of causes, among these, that a case shows."""
    found: set[str] = set()
    for text in islice(_changed_cases(subject), MOST_DIAGNOSED):
        found |= wanted.intersection(cause.kind for cause in _bugs(text, subject))
        if found == wanted:
            break
    return found


def _changed_cases(subject: Subject) -> Iterator[str]:
    """Yield texts of cases that do not come back in their declared form."""
    special = set(subject.special_tokens.values())
    for texts in texts_of_cases(subject):
        encoded = encode_all(texts, subject)
        pairs = [
            (text, ids)
            for text, ids in zip(texts, encoded, strict=True)
            if not isinstance(ids, Raised) and all_exact(ids, int) and special.isdisjoint(ids)
        ]
        decoded = decode_all([ids for _, ids in pairs], subject)
        for (text, _), again in zip(pairs, decoded, strict=True):
            if not isinstance(again, Raised) and again not in (text, subject.expected_text(text)):
                yield text
