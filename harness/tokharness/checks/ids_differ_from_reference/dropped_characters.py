"""Characters that the target drops, and the reference does not, in texts with the unknown token.

The unknown token hides which characters a text has, so decoded ids do not show which characters are
lost. Each character is therefore encoded alone, between two letters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.special.special_ids import unknown_ids
from tokharness.diagnosis.text.changes import TRUNCATED, dropped_characters_cause
from tokharness.diagnosis.text.characters import (
    between_letters,
    describe_by_replacement,
    probe_characters,
    unassigned_name,
    unassigned_sample,
)
from tokharness.targets.subject import scalar_text
from tokharness.unicode.versions import VERSIONS, category_in

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

    There are no causes unless ``wanted``, the reference's ids of the text, has unknown tokens, and
    the reference gives the target's ids for the text without these characters, or for the text
    before U+0000.
    """
    if unknown_ids(subject).isdisjoint(wanted):
        return []
    text = scalar_text(text)
    head = text.partition("\0")[0]
    if head != text and not _is_dropped("\0", subject) and subject.reference_ids(head) == list(ids):
        return [TRUNCATED]
    dropped = [char for char in dict.fromkeys(text) if _only_target_drops(char, subject)]
    rest = text.translate({ord(char): None for char in dropped})
    if not dropped or subject.reference_ids(rest) != list(ids):
        return []
    version = subject.cache.get_or_compute("unassigned as of", lambda: _unassigned_as_of(subject))
    others = [char for char in dropped if not _is_unassigned(char, version)]
    names = [unassigned_name(version)] if version and len(others) < len(dropped) else []
    if others:
        known = subject.cache.get_or_compute("dropped", lambda: set(_probe(version, subject)))
        known.update(others)
        names.append(describe_by_replacement(dict.fromkeys(known, ""))[""])
    subject.discoveries.characters(VIA).known.update(dict.fromkeys(dropped, ""))
    message = "the target drops {}, and the reference does not"
    return [dropped_characters_cause(name, message.format(name)) for name in names]


def _unassigned_as_of(subject: Subject) -> str | None:
    """Return the Unicode version whose unassigned characters the target drops; None without one.

    The target drops each character that this version has not assigned, and keeps some character
    that the version before has not assigned.
    """
    sample = unassigned_sample()
    kept = {char for char in sample if not _is_dropped(char, subject)}
    versions = [v for v in VERSIONS if not any(_is_unassigned(char, v) for char in kept)]
    return versions[0] if kept and versions else None


def _is_unassigned(char: str, version: str | None) -> bool:
    return version is not None and category_in(char, version) == "Cn"


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
