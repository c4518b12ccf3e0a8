"""Tokens of different bytes that are equal as text, in NFC, or by their skeletons (UTS #39)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.token_content.forms import changed_by_nfc, skeletons
from tokharness.diagnosis.token_content.texts import PARTIAL, content_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["EqualForms", "equal_forms"]

MOST_GROUPS = 50


@dataclass(frozen=True, slots=True)
class EqualForms:
    """Groups of ids whose tokens are equal in a form; ``texts`` has the texts of all tokens."""

    form: str
    groups: Sequence[Sequence[int]]
    texts: Mapping[int, str]

    @property
    def example(self) -> Sequence[int]:
        """The first group of texts of two or more characters, or the first group."""
        return max(self.groups, key=lambda ids: min(len(self.texts[n].strip()) for n in ids) > 1)

    def record(self) -> dict[str, Any]:
        """Return a row of a table as plain data."""
        first, second, *_ = self.example
        return {
            "equal in": self.form,
            "groups": len(self.groups),
            "tokens": sum(map(len, self.groups)),
            "example": self.texts[first],
            "its id": first,
            "equal to": self.texts[second],
            "id of that": second,
            "ids": [list(ids) for ids in self.groups[:MOST_GROUPS]],
        }


def equal_forms(subject: Subject) -> list[EqualForms]:
    """Return the groups of tokens of each form that has any, without parts of characters.

    A group of a form has tokens that are not equal in the forms before it. Look-alikes have two
    characters or more: each vocabulary has "0" and "O".
    """
    texts, changed = content_texts(subject), changed_by_nfc(subject)
    forms = set(changed.values())
    composed = {number: text for number, text in texts.items() if text in forms}
    long = ([n for n in ids if len(texts[n].strip()) > 1] for ids in _groups(skeletons(subject)))
    found = {
        # Tokens that are shown as bytes have equal bytes if their texts are equal.
        "text": [] if subject.vocabulary() else _groups(texts),
        "NFC": [
            ids for ids in _groups({**composed, **changed}) if len({texts[n] for n in ids}) > 1
        ],
        "skeleton": [ids for ids in long if len({changed.get(n, texts[n]) for n in ids}) > 1],
    }
    whole = {
        form: sorted(ids for ids in groups if PARTIAL not in texts[ids[0]])
        for form, groups in found.items()
    }
    return [EqualForms(form, groups, texts) for form, groups in whole.items() if groups]


def _groups(keys: Mapping[int, str]) -> list[list[int]]:
    """Return the ids of each key that several have."""
    counts = Counter(keys.values())
    if len(counts) == len(keys):
        return []
    several = {key for key, count in counts.items() if count > 1}
    groups: dict[str, list[int]] = {}
    for number, key in keys.items():
        if key in several:
            groups.setdefault(key, []).append(number)
    return [sorted(ids) for ids in groups.values()]
