"""Changes of the reference that explain failing texts: alterations and Unicode versions.

A change may explain a single text by accident. A credible change also explains the other texts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.targets.subject import Subject

Key: TypeAlias = tuple[str, str]
"""A stage, and what is altered in it or its Unicode version."""

MOST_CONTRADICTED = 0.05
"""Most failing texts that may contradict a credible change, as a share of those it explains."""


def credible_changes(
    text: str, ids: Sequence[Any], known: Mapping[Key, Any], wanted: Any, subject: Subject
) -> list[Key]:
    """Return the changes that give the target's ids for this text and for most texts they change.

    A change that explains a text by accident does not explain the other texts. ``known`` has the
    reference's ids of this text with each change, and ``wanted`` its ids without a change.
    """
    records = _records(subject)
    found = []
    for key, changed in known.items():
        if isinstance(changed, Raised) or changed == wanted:
            continue
        record = records.setdefault(key, _Record())
        before = record.is_credible
        explains = list(changed) == list(ids)
        (record.explained if explains else record.contradicted).add(text)
        if before and not record.is_credible and record.explained:
            subject.diagnosis_pass.learned = True
        if explains and record.is_credible:
            found.append(key)
    return found


def is_explained(text: str, subject: Subject) -> bool:
    """Whether a credible change gives the target's ids of a text."""
    return any(text in one.explained and one.is_credible for one in _records(subject).values())


def _records(subject: Subject) -> dict[Key, _Record]:
    return subject.cache.get_or_compute("records of changes", dict)


@dataclass(slots=True)
class _Record:
    """Failing texts for which a change of the reference gives the target's ids, or other ids."""

    explained: set[str] = field(default_factory=set)
    contradicted: set[str] = field(default_factory=set)

    @property
    def is_credible(self) -> bool:
        return len(self.contradicted) <= MOST_CONTRADICTED * len(self.explained)
