"""Explain changed ids of golden texts where no file shows what changed: by the ids alone.

The baseline takes the place of a reference: the causes are those of TOK201 against it. A finding of
another check explains nothing here: it may be as old as the baseline.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.ids.reference_departures import IN_REFERENCE
from tokharness.engine.worker.diagnose_texts import diagnose_texts
from tokharness.engine.worker.grouping import DiagnosedText, group_by_cause
from tokharness.engine.worker.merging import merge_weak_causes
from tokharness.engine.worker.without_cause import NOT_REPRODUCED
from tokharness.model import Cause, Verdict, target_of
from tokharness.outcome import Raised, call
from tokharness.targets.snapshot import NO_CAUSE, Explanation
from tokharness.targets.subject_state import SubjectState
from tokharness.unicode.properties import category

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.plugins import Check
    from tokharness.targets.snapshot import ChangedText
    from tokharness.targets.subject import Subject

__all__ = ["explain_by_ids"]

DIFFERENTIAL = "TOK201"

PLACES = {
    "L": "a letter",
    "M": "a mark",
    "N": "a digit",
    "P": "punctuation",
    "S": "a symbol",
    "Z": "white space",
    "C": "a control or unassigned character",
}
"""Where ids first differ, by the first letter of the general category."""


def explain_by_ids(
    changed: Sequence[ChangedText], subject: Subject, checks: Sequence[Check]
) -> Iterator[Explanation]:
    """Group changed texts by cause; the texts that none explains, by where they first differ.

    The reference of the subject stands for the baseline where it has the baseline's ids; elsewhere
    the ids of the baseline do.
    """
    texts = {one.text: one.group for one in changed if _have_ids(one)}
    before: dict[str, list[Any]] = {
        one.text: list(one.before or ()) for one in changed if one.text in texts
    }
    check = next((check for check in checks if check.code == DIFFERENTIAL), None)
    if check is None:
        from tokharness import plugins

        check = plugins.checks().get(DIFFERENTIAL)
    left = dict(texts)
    same = {text: left[text] for text in left if subject.reference_ids(text) == before[text]}
    for by, of in ((subject, same), (_against_baseline(subject, before), left)):
        if of and check is not None:
            for explanation in _explained(check, by, of):
                yield explanation
                for text in explanation.texts:
                    left.pop(text, None)
    places: dict[str, list[str]] = {}
    for one in changed:
        if one.text in left and not isinstance(one.after, str):
            places.setdefault(_first_difference(one, subject), []).append(one.text)
    for place, of_place in places.items():
        parameters = (("first difference", place),)
        message = f"the ids first differ at {place}"
        yield Explanation(Cause(NO_CAUSE, parameters, message=message), tuple(of_place))


def _have_ids(one: ChangedText) -> bool:
    return one.before is not None and not isinstance(one.before, str) and one.after != one.before


def _explained(check: Check, subject: Subject, texts: Mapping[str, str]) -> Iterator[Explanation]:
    diagnosed = call(diagnose_texts, check, subject, dict(texts))
    bugs = [] if isinstance(diagnosed, Raised) else list(filter(None, map(_bugs_of, diagnosed)))
    for group in merge_weak_causes(group_by_cause(bugs)):
        yield Explanation(group.cause, tuple(member.text for member in group.members))


def _bugs_of(diagnosed: DiagnosedText) -> DiagnosedText | None:
    """Return the text with only those causes that explain a change, and None if there are none.

    A weak cause describes the change only, and the baseline is no reference that departs from a
    file.
    """
    bugs = tuple(
        cause
        for cause in diagnosed.causes
        if cause != NOT_REPRODUCED and cause.kind != "unexplained" and not cause.weak
        if cause.verdict is Verdict.BUG and IN_REFERENCE not in cause.parameters
    )
    return replace(diagnosed, causes=bugs) if bugs else None


class _Replayed:
    """A tokenizer that has the ids of the baseline for its texts, and knows no others."""

    def __init__(self, ids: Mapping[str, list[int]], target: Any) -> None:
        self._ids, self._target = ids, target
        self.special_tokens = dict(target.special_tokens)
        self.n_vocab = target.n_vocab

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text of the baseline; raises LookupError for another text."""
        return self._ids[text]

    def decode(self, ids: Sequence[int]) -> str:
        """Decode with the target: the vocabulary is taken to be the same."""
        text = self._target.decode(ids)
        if isinstance(text, Raised):
            raise text.error
        return text  # type: ignore[no-any-return]


def _against_baseline(subject: Subject, before: Mapping[str, list[int]]) -> Subject:
    replayed = target_of("baseline", _Replayed(before, subject.target))
    return replace(
        subject, reference=replayed, explainer=None, claims_parity=True, state=SubjectState()
    )


def _first_difference(one: ChangedText, subject: Subject) -> str:
    """Return the kind of the character at which the tokens of a text first differ."""
    same = 0
    for old, new in zip(one.before or (), one.after, strict=False):
        if old != new:
            break
        same += 1
    start = subject.decode(one.after[:same]) or ""
    if not one.text.startswith(start):
        return "an unknown place"
    character = one.text[len(start) : len(start) + 1]
    return PLACES[category(character)[0]] if character else "the end"
