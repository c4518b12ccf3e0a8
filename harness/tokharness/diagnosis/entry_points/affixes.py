"""Ids that an entry point adds to every text, such as BOS and EOS, and padding."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.probes.calls import encode_all
from tokharness.model import Cause
from tokharness.model.target import run_at_start, slice_without_padding
from tokharness.outcome import Raised
from tokharness.targets.subject_state import SubjectState

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

# Ids that a target adds to every text, and its reference does not.

WORDS = ("word", "the")


@dataclass(frozen=True, slots=True)
class Affixes:
    """Ids that the target adds to every text, and the reference does not."""

    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()

    def without(self, ids: list[int]) -> list[int]:
        """Remove the affixes; if they are not around the ids, return all ids."""
        start, end = len(self.before), len(ids) - len(self.after)
        if start > end or (*ids[:start], *ids[end:]) != (*self.before, *self.after):
            return ids
        return ids[start:end]

    @property
    def cause(self) -> Cause:
        """The cause of texts whose ids differ by the affixes alone."""
        parameters = (("before", str(list(self.before))), ("after", str(list(self.after))))
        message = "every text gets ids before or after its own that the reference does not add"
        return Cause("ids around every text", parameters, message=message)


def reference_affixes(subject: Subject) -> Affixes:
    """Affixes of two different words, if both words have the same affixes; otherwise empty ones."""

    def compute() -> Affixes:
        affixes = {
            _affixes_of_word(subject.encode(word) or [], subject.reference_ids(word) or [])
            for word in WORDS
        }
        return affixes.pop() if len(affixes) == 1 else Affixes()

    return subject.cache.get_or_compute("ids around every text", compute)


def _affixes_of_word(ids: list[int], wanted: list[int]) -> Affixes:
    for start in range(len(ids) - len(wanted) + 1):
        if ids[start : start + len(wanted)] == wanted:
            return Affixes(tuple(ids[:start]), tuple(ids[start + len(wanted) :]))
    return Affixes()


PROBES = ("a", "1", ".", "\u4e2d")
"""Plain texts that share no character, so that the entry point added every id that they share."""

OF_DIFFERENT_LENGTHS = ("a", "a b", "a b c")
"""Plain texts of different lengths; if they get the same number of ids, texts are padded."""

AffixIds = tuple[list[int], list[int]]
"""Ids that are added before the text's own ids, and after them."""


def affix_ids(subject: Subject, entry_point: str = "") -> AffixIds:
    """Ids that an entry point adds to every text; by default, the entry point for plain text."""

    def compute() -> AffixIds:
        results = encode_all(PROBES, subject, entry_point)
        padding = padding_id(subject, entry_point)
        rows = [
            ids[slice_without_padding(ids, padding)]
            for ids in results
            if not isinstance(ids, Raised)
        ]
        prefix = _shared_start(rows)
        return prefix, _shared_start([ids[len(prefix) :][::-1] for ids in rows])[::-1]

    return subject.cache.get_or_compute(f"ids of every text {entry_point}", compute)


def without_affixes(ids: list[int], subject: Subject, entry_point: str = "") -> list[int]:
    """Remove the ids that an entry point adds to every text."""
    return ids[text_slice(ids, subject, entry_point)]


def text_slice(ids: list[int], subject: Subject, entry_point: str = "") -> slice:
    """Return the slice of an entry point's result that holds the text's own ids."""
    prefix, suffix = affix_ids(subject, entry_point)
    own = slice_without_padding(ids, padding_id(subject, entry_point))
    start, end = own.start, own.stop
    start += len(prefix) if ids[start : start + len(prefix)] == prefix else 0
    has_suffix = suffix and ids[start:end][-len(suffix) :] == suffix
    return slice(start, end - len(suffix) if has_suffix else end)


def without_padding(subject: Subject) -> Subject:
    """Return the subject with entry points for plain text that leave the padding out.

    Diagnoses then find what the target does to texts that are not padded. Only one side may pad.
    """
    padding = {"target": padding_id(subject), "reference": _padding_of_reference(subject)}
    if set(padding.values()) == {None}:
        return subject
    # The subject may declare the normalizer of its reference, or its own.
    key = f"without padding: {subject.target.normalizer}, {subject.claims_parity}"
    state = subject.cache.get_or_compute(key, SubjectState)
    state.diagnosis_pass = subject.diagnosis_pass
    state.expected_causes = subject.expected_causes
    state.refuted_causes = subject.state.refuted_causes
    padding |= {"original_target": padding["target"], "explainer": padding["reference"]}
    sides = {
        name: replace(side, padding=number)
        for name, number in padding.items()
        if (side := getattr(subject, name)) is not None
    }
    return replace(subject, **sides, state=state)


def _padding_of_reference(subject: Subject) -> int | None:
    if subject.reference is None:
        return None
    state = subject.cache.get_or_compute("state of the reference", SubjectState)
    return padding_id(replace(subject, target=subject.reference, reference=None, state=state))


def ids_inside(text: str, subject: Subject) -> list[Any]:
    """Return the ids of a text between two words that have tokens: the text may have padding's id.

    If the target leaves no padding out, the text is encoded alone.
    """
    if subject.target.padding is None:
        return subject.encode(text) or []
    word = next((word for word in PROBES if subject.encode(word)), "")
    space = "" if subject.target.padding in (subject.encode(f"{word} {word}") or []) else " "
    return subject.encode(f"{word}{space}{text}{space}{word}") or []


def padding_id(subject: Subject, entry_point: str = "") -> int | None:
    """Return the id that pads all texts to the same length; None if texts are not padded."""

    def compute() -> int | None:
        results = encode_all(OF_DIFFERENT_LENGTHS, subject, entry_point)
        rows = [ids for ids in results if not isinstance(ids, Raised)]
        if len(rows) < len(results) or len(set(map(len, rows))) > 1 or not rows[0]:
            return None
        for same_order in (rows, [ids[::-1] for ids in rows]):
            number: int = same_order[0][0]
            runs = [run_at_start(ids, number) for ids in same_order]
            if runs[0] > runs[1] > runs[2]:
                return number
        return None

    found: int | None = subject.cache.get_or_compute(f"padding id {entry_point}", compute)
    return found


def _shared_start(rows: list[list[int]]) -> list[int]:
    """Ids that all rows begin with; empty if there are fewer than two rows."""
    if len(rows) < 2:
        return []
    same = takewhile(lambda column: len(set(column)) == 1, zip(*rows, strict=False))
    return [column[0] for column in same]
