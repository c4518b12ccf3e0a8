"""Characters that the target drops, and the reference does not, where decoded ids do not show it.

The unknown token hides which characters a text has, and a reference that normalizes changes others.
Each character is therefore encoded alone, between two letters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.special.special_ids import unknown_ids
from tokharness.diagnosis.text.changes import TRUNCATED, dropped_characters_cause
from tokharness.diagnosis.text.characters import (
    between_letters,
    describe_by_replacement,
    earliest_version,
    is_unassigned,
    probe_characters,
    unassigned_name,
    unassigned_sample,
)
from tokharness.targets.subject import scalar_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Cause
    from tokharness.targets.subject import Subject

VIA = "ids without a character"
"""Name of the discoveries about characters."""

LETTERS = "ab"


def dropped_character_causes(
    text: str, ids: Sequence[Any], wanted: Sequence[Any], subject: Subject
) -> list[Cause]:
    """Return the causes that name the characters of a text that only the target drops.

    There are no causes unless ``wanted``, the reference's ids of the text, has unknown tokens, or
    the reference normalizes, and unless the reference gives the target's ids for the text without
    these characters, or for the text before U+0000.
    """
    loses_text = subject.reference is not None and subject.reference.normalizer is not None
    if unknown_ids(subject).isdisjoint(wanted) and not loses_text:
        return []
    text = scalar_text(text)
    head = text.partition("\0")[0]
    if head != text and not _is_dropped("\0", subject) and subject.reference_ids(head) == list(ids):
        return [TRUNCATED]
    dropped = [char for char in dict.fromkeys(text) if _only_target_drops(char, subject)]
    rest = text.translate({ord(char): None for char in dropped})
    if not dropped or subject.reference_ids(rest) != list(ids):
        return []
    version = subject.cache.get_or_compute("unassigned as of", lambda: _version_of(subject))
    others = [char for char in dropped if not is_unassigned(char, version)]
    names = [unassigned_name(version)] if version and len(others) < len(dropped) else []
    if others:
        known = subject.cache.get_or_compute("dropped", lambda: set(_probe(version, subject)))
        known.update(others)
        names.append(describe_by_replacement(dict.fromkeys(known, ""))[""])
    subject.discoveries.characters(VIA).known.update(dict.fromkeys(dropped, ""))
    message = "the target drops {}, and the reference does not"
    return [dropped_characters_cause(name, message.format(name)) for name in names]


def _version_of(subject: Subject) -> str | None:
    return earliest_version(char for char in unassigned_sample() if not _is_dropped(char, subject))


def _probe(version: str | None, subject: Subject) -> list[str]:
    """Search all characters that only the target drops; none with a version, which leaves few."""
    if version is not None:
        return []
    subject.target.fetch(list(map(between_letters, probe_characters())))
    return [char for char in probe_characters() if _only_target_drops(char, subject)]


def _only_target_drops(char: str, subject: Subject) -> bool:
    known: dict[str, bool] = subject.cache.get_or_compute("only target drops", dict)
    if char not in known:
        known[char] = _is_dropped(char, subject) and not _reference_drops(char, subject)
    return known[char]


def _is_dropped(char: str, subject: Subject) -> bool:
    ids = subject.encode(between_letters(char))
    return ids is not None and ids == subject.encode(LETTERS)


def _reference_drops(char: str, subject: Subject) -> bool:
    return subject.reference_ids(between_letters(char)) == subject.reference_ids(LETTERS)
