"""Texts of emitted ids that change when they are encoded and decoded again."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from tokharness.boundary.values import all_exact
from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.emitted_ids.texts_of_cases import texts_of_cases
from tokharness.diagnosis.probes.calls import decode_all, encode_all, reportable_ids
from tokharness.diagnosis.special.unknown_ids import unknown_ids
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokharness.diagnosis.emitted_ids.retokenized import Retokenized
    from tokharness.targets.subject import Subject

    Explain = Callable[[str, Subject], list[Cause]]
    """Causes of a text that does not come back."""

__all__ = ["changed_text_failures"]

MOST_DIAGNOSED = 50
"""Texts that are diagnosed, of emitted ids and of cases."""


def changed_text_failures(
    rows: Sequence[Retokenized], subject: Subject, explain: Explain
) -> Iterator[Failure]:
    """Yield a bug for each cause of a changed text, the most common one first.

    Left out are texts that come back as declared or as with the reference, and causes of a kind
    that a case shows too, since the check of texts reports it.
    """
    left = [
        (row, text, causes)
        for row, text in islice(_changed(rows, subject), MOST_DIAGNOSED)
        if (causes := _bugs(row.text, subject, explain))
    ]
    wanted = {cause.kind for _, _, causes in left for cause in causes}
    reported = _kinds_of_cases(wanted, subject, explain) if wanted else set()
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


def _bugs(text: str, subject: Subject, explain: Explain) -> list[Cause]:
    return [cause for cause in explain(text, subject) if cause.verdict is Verdict.BUG]


def _kinds_of_cases(wanted: set[str], subject: Subject, explain: Explain) -> set[str]:
    """Return which of these kinds of causes a case shows."""
    found: set[str] = set()
    for text in islice(_changed_cases(subject), MOST_DIAGNOSED):
        found |= wanted.intersection(cause.kind for cause in _bugs(text, subject, explain))
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
