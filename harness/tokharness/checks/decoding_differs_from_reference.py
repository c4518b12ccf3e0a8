"""The target decodes ids to a different text than the reference.

Why it matters: a server that moves to another library compares the ids of texts, but the text that
users see is decoded from ids that no encoder made: a model may choose any id, in any order. A
decoder that leaves out special tokens, drops the bytes of a broken character, strips a space or
refuses an id changes what users read, and the loop that waits for ``<|end|>`` in the text never
ends.

Oracle: differential. The target's own reference, or the reference that ``--against`` names, decodes
the same ids.

How it works: the check decodes every id of the vocabulary, many in one sequence, and divides only
sequences that differ; special ids; ids in holes and past the end; parts of characters; random
sequences; and the ids of the families' texts, without the first id and without the last id. Where
both sides have ``decode_bytes``, bytes are compared too. A cause is a rule, such as *spaces before
punctuation are cleaned up*, that turns the reference's text into the target's text, for all ids
whose texts differ and for other ids. A difference that no rule explains is a *symptom*. A
difference that a text shows without a reference is reported as TOK101 reports it.

Verdicts: *bug* for ids with a different text. If ``--against`` names the reference, target and
reference are claimed to be equal, and each difference is a *bug*; for two files of one format, the
cause is the edit that changes the text, such as *decoder: none, was ByteLevel*. With the automatic
reference, three differences are a *fact*: special tokens are shown by only one side, ids without a
token are refused by only one side, or a part of a character, or the run of byte tokens around it,
becomes another number of U+FFFD. Dropped bytes are a *risk*.

Example: a decoder that leaves out special tokens, compared with a decoder that shows them::

    TOK202 bug  decoding: special tokens left out   decode leaves out special tokens, ...

What to do: decode with the options of the library that the model was served with.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.comparisons import compared
from tokharness.diagnosis.entry_points.contracts import decode_bytes_cause, entry_point_cause
from tokharness.diagnosis.explanations import Explanation, first_causes
from tokharness.diagnosis.ids.aliases import alias_failures, nearest_alias_failures
from tokharness.diagnosis.ids.altered_stages import altered_decoder_causes, text_with_alteration
from tokharness.diagnosis.ids.compared_decoding import (
    MESSAGES,
    OF_A_TEXT,
    OF_UNKNOWN_IDS,
    Comparison,
    Difference,
    all_sequences,
    cut_sequences,
    decode_column,
    ids_without_token,
    kind_cause,
)
from tokharness.diagnosis.ids.decoding_rules import (
    REFUSES,
    agrees,
    plain_sequences,
    rule_causes,
    ways_of,
)
from tokharness.diagnosis.ids.edited_files import decoding_edit_causes
from tokharness.diagnosis.ids.moved_ids import MOVED, moved_text, moved_text_causes
from tokharness.diagnosis.probes.calls import decode_all, reportable_ids
from tokharness.diagnosis.special.inconsistencies import special_id_failures
from tokharness.diagnosis.text.changes import ROUND_TRIP
from tokharness.diagnosis.text.round_trip import round_trip_causes
from tokharness.model import Batch, Cause, Failure, Verdict, decoded_text
from tokharness.targets.subject import Subject, is_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.diagnosis.ids.decoding_rules import Gives

__all__ = [
    "CODE",
    "COLUMNS",
    "NAME",
    "REQUIRES",
    "audit",
    "diagnose",
    "diagnose_whole",
    "evidence",
    "failing",
    "predicts",
]


# Whether a cause predicts what the target decodes ids to; if it does not, it is a symptom.

SAMPLE = 40
"""Sequences of a cause for which predictions are made."""

MOST_WRONG = 0.05
"""Share of sequences of each kind that may be predicted wrongly: they have two faults."""

OF_CHARACTERS = ("dropped characters", "replaced characters")


def predicts_decoding(cause: Cause, differing: Sequence[Difference], subject: Subject) -> bool:
    """Whether a cause gives the target's text for differing sequences and for equal plain ones.

    A cause that two calls of the target itself have shown counts as predicting.
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
    """Return the ways in which a cause may give a text; none if its diagnosis has proved it."""
    if rules := ways_of(cause, subject):
        return rules
    if cause.kind == MOVED:
        return [lambda ids, _: REFUSES if (text := moved_text(ids, subject)) is None else text]
    if what := dict(cause.parameters).get("altered"):
        return [lambda ids, _: text_with_alteration(what, ids, subject)]
    if str(cause).removeprefix("decoder: ").startswith(OF_CHARACTERS):
        known = subject.discoveries.known_characters(ROUND_TRIP)
        table = {ord(old): new for old, new in known.items()}
        return [lambda _, want: want.translate(table)]
    return []


CODE = "TOK202"
NAME = "decoding-differs-from-reference"
REQUIRES = ("reference",)
COLUMNS = ()

STRIDE = 5
"""Only every fifth of the sampled rows is decoded in parts."""


MOST_DIAGNOSED = 200
ACCEPTED, OTHER_BYTES = "unknown ids accepted", ("other bytes",)


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows whose ids, without the first or without the last, decode differently.

    Only if the user named the reference; for an automatic reference the audit suffices.
    """
    if not subject.claims_parity:
        return []
    rows = [row for row in batch.sampled_rows[::STRIDE] if len(batch.ids[row] or []) > 1]
    parts = [part for row in rows for part in cut_sequences(batch.ids[row] or [])]
    if subject.reference is None or not parts:
        return []
    if decode_column(parts, subject.target) == decode_column(parts, subject.reference):
        return []
    return [row for row in rows if _row_differences(batch.ids[row] or [], subject)]


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the causes for which parts of this text's ids decode differently."""
    differences = _row_differences(subject.encode(text) or [], subject)
    return list(dict.fromkeys(c for one in differences for c in _causes(one, subject)))


def diagnose_whole(text: str, subject: Subject) -> list[Cause]:
    """Return the causes for which all ids of a text together decode differently."""
    ids = subject.encode(text) or []
    difference = None
    if ids and all(type(number) is int for number in ids):
        difference = Comparison(subject).compare(ids)
    return [] if difference is None else list(dict.fromkeys(_causes(difference, subject)))


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return the first part of the ids of a text that decodes differently for this cause."""
    differences = _row_differences(subject.encode(text) or [], subject)
    found = next((one for one in differences if cause in _causes(one, subject)), None)
    return {} if found is None else _evidence(found, subject)


def predicts(cause: Cause, texts: Sequence[str], subject: Subject) -> bool:
    """Whether a cause predicts what parts of the ids of some failing texts decode to."""
    rows = (_row_differences(subject.encode(text) or [], subject) for text in texts)
    shown = [one for row in rows for one in row if cause in _causes(one, subject)]
    return predicts_decoding(cause, shown, subject)


def audit(subject: Subject) -> Iterator[Failure]:
    """Compare ids of the vocabulary, special ids, invalid ids and sequences."""
    comparison = Comparison(subject)
    differences = [*comparison.differences(all_sequences(subject))]
    differences += comparison.differences([number] for number in ids_without_token(subject))
    aliases = _aliases(differences, subject)
    yield from aliases
    if aliases:
        differences = [one for one in differences if ACCEPTED not in one.kinds]
    yield from _failures(differences, comparison)
    if not differences:
        yield from _failures([*_byte_differences(subject)], comparison)


def _row_differences(ids: Sequence[Any], subject: Subject) -> list[Difference]:
    comparison = Comparison(subject)
    if len(ids) < 2 or not all(type(number) is int for number in ids):
        return []
    return [one for part in cut_sequences(ids) if (one := comparison.compare(part)) is not None]


def _aliases(differences: Sequence[Difference], subject: Subject) -> list[Failure]:
    """Failures of TOK112, if unknown ids decode to the text of other tokens and so are accepted."""
    if not any(ACCEPTED in one.kinds and one.got for one in differences):
        return []
    numbers = range(subject.target.n_vocab or 0)
    alone = dict(zip(numbers, decode_all([[n] for n in numbers], subject), strict=True))
    return [*alias_failures(alone, subject)] or [*nearest_alias_failures(alone, subject)]


def _failures(differences: Sequence[Difference], comparison: Comparison) -> Iterator[Failure]:
    """One failure for each cause; if a sequence has several causes, the most common counts."""
    step = -(-len(differences) // MOST_DIAGNOSED) or 1
    of_each_kind = {one.kinds: one for one in differences}.values() if step > 1 else ()
    sample = [*differences[::step], *of_each_kind]
    left = [(one, _causes(one, comparison.subject)) for one in sample]
    while left:
        counts = Counter(cause for _, causes in left for cause in causes)
        [(cause, _)] = counts.most_common(1)
        shown = [one for one, causes in left if cause in causes]
        left = [(one, causes) for one, causes in left if cause not in causes]
        if cause.verdict is not Verdict.FACT:
            cause = replace(cause, weak=not predicts_decoding(cause, shown, comparison.subject))
        smallest = min(shown, key=lambda one: (len(one.ids), one.ids))
        record = _evidence(smallest, comparison.subject)
        if (reference := comparison.subject.reference) is not None and reference.can("stages"):
            record["stage"] = "decoder"
        if step > 1 or not comparison.taken_apart:
            record["more"] = "many sequences differ; the causes explain an even sample"
        text = smallest.want if isinstance(smallest.want, str | bytes) else None
        yield Failure(cause, count=len(shown) * step, text=text, evidence=record)


def _causes(difference: Difference, subject: Subject) -> list[Cause]:
    """Causes that may explain a difference, from checks that show it without a reference."""
    return first_causes(EXPLANATIONS, (difference, subject), subject.state.refuted_causes)


def _own_causes(difference: Difference, subject: Subject) -> list[Cause]:
    """Return a cause for each kind of the difference itself."""
    # A file does not say what a library does with an id without a token, so no file claims parity.
    reads_file = subject.reference is not None and subject.reference.can("stages")
    return [
        kind_cause(
            kind, claims_parity=subject.claims_parity and not (reads_file and kind == ACCEPTED)
        )
        for kind in difference.kinds
    ]


def _causes_of_files(difference: Difference, subject: Subject) -> list[Cause]:
    ids, text = difference.ids, difference.got
    edits = decoding_edit_causes(ids, text, subject)
    return edits or altered_decoder_causes(ids, text, subject)


def _causes_of_bytes(difference: Difference, subject: Subject) -> list[Cause]:
    if difference.kinds != OTHER_BYTES:
        return []
    text = subject.decode(difference.ids)
    agrees = isinstance(difference.got, bytes) and decoded_text(difference.got) == text
    return _own_causes(difference, subject) if agrees else [decode_bytes_cause(difference.got)]


def _causes_of_special_ids(difference: Difference, subject: Subject) -> list[Cause]:
    if set(subject.special_tokens.values()).isdisjoint(difference.ids):
        return []
    causes = [failure.cause for failure in special_id_failures(subject)]
    return [cause for cause in causes if cause.verdict is Verdict.BUG]


def _causes_of_unknown_ids(difference: Difference, subject: Subject) -> list[Cause]:
    return [] if OF_UNKNOWN_IDS.isdisjoint(difference.kinds) else _own_causes(difference, subject)


def _causes_of_rules(difference: Difference, subject: Subject) -> list[Cause]:
    causes = rule_causes(difference, subject)
    return [] if causes == _own_causes(difference, subject) else causes


def _causes_of_text(difference: Difference, subject: Subject) -> list[Cause]:
    """Causes of the different text that the target shows without a reference."""
    if OF_A_TEXT.isdisjoint(difference.kinds):
        return []
    text = difference.want.replace("\ufffd", "")
    if text and is_scalar(text):
        causes = [one for one in round_trip_causes(text, subject) if not one.weak]
        bugs = [cause for cause in causes if cause.verdict is Verdict.BUG]
        if named := [cause for cause in bugs if may_explain(cause, difference, subject)]:
            return named
    if len(difference.ids) == 1 and subject.target.can("decode_single_token_bytes"):
        data = subject.target.call("decode_single_token_bytes", difference.ids[0])
        if data == difference.want.encode():
            message = MESSAGES[difference.kinds[0]]
            return [entry_point_cause("decode", f"for an id alone, {message}")]
    return []


def _causes_of_moved_ids(difference: Difference, subject: Subject) -> list[Cause]:
    return moved_text_causes(difference.ids, difference.got, subject)


EXPLANATIONS: tuple[Explanation[tuple[Difference, Subject]], ...] = (
    Explanation(
        lambda one: _causes_of_files(*one),
        "an edit of the file that both sides show is seen, all else is inferred",
    ),
    Explanation(
        lambda one: _causes_of_moved_ids(*one),
        "ids that are moved by a number decode to the text of other ids, of any kind",
    ),
    Explanation(
        lambda one: _causes_of_bytes(*one),
        "bytes that differ where the text does not are of the method that gives bytes",
    ),
    Explanation(
        lambda one: _causes_of_special_ids(*one),
        "a special id whose text is wrong is wrong in each sequence that has it",
    ),
    Explanation(
        lambda one: _causes_of_unknown_ids(*one),
        "an id without a token has no text that a rule could change",
    ),
    Explanation(lambda one: _causes_of_rules(*one), "a rule of the decoder predicts the text"),
    Explanation(
        lambda one: _causes_of_text(*one),
        "a text that does not come back decodes differently for the same cause",
    ),
    Explanation(
        lambda one: rule_causes(*one), "a rule that says no more than the kind has predicted it"
    ),
    Explanation(
        lambda one: [replace(cause, weak=True) for cause in _own_causes(*one)],
        "the kind of the difference is the least that can be said",
    ),
)
"""What explains a different decoding, in the order in which it is tried."""


def _byte_differences(subject: Subject) -> Iterator[Difference]:
    """Sequences whose bytes differ although their texts do not."""
    target, reference = subject.target, subject.reference
    if reference is None or not (target.can("decode_bytes") and reference.can("decode_bytes")):
        return
    rows = [*all_sequences(subject)]
    ours, theirs = (side.call_each("decode_bytes", rows) for side in (target, reference))
    for ids, got, want in zip(rows, ours, theirs, strict=True):
        if got != want and isinstance(want, bytes):
            yield _smallest_with_other_bytes(ids, got, want, subject)


def _smallest_with_other_bytes(
    ids: list[Any], got: Any, want: bytes, subject: Subject
) -> Difference:
    """Return the first id whose bytes differ, or the whole sequence if no id differs alone."""
    sides = [side for side in (subject.target, subject.reference) if side is not None]
    for number in ids:
        one, other = (side.call("decode_bytes", [number]) for side in sides)
        if one != other and isinstance(other, bytes):
            return Difference(OTHER_BYTES, (number,), one, other)
    return Difference(OTHER_BYTES, tuple(ids), got, want)


def _evidence(difference: Difference, subject: Subject) -> dict[str, Any]:
    """Return the call, what it gave, and what the reference gives for the same ids."""
    method = "decode_bytes" if difference.kinds == OTHER_BYTES else "decode"
    call = {"entry point": method, "for": reportable_ids(difference.ids)}
    return {**call, **compared(difference.got, difference.want, subject)}
