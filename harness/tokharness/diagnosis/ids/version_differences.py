"""A difference of Unicode versions between two tokenizers that nothing explains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Cause
from tokharness.targets.fingerprint import version_from_outside

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["version_difference_causes"]


def version_difference_causes(text: str, subject: Subject) -> list[Cause]:
    """The target's Unicode version, if the characters that it moves are all that matters.

    They are if both give a text the same ids in which plain characters stand for them, of the
    class that each has in the target's version.
    """
    reference = subject.reference
    if reference is None or text.isascii():
        return []
    from tokharness.unicode.versions import STANDINS, category_in, changed

    old, new = subject.remember(
        "versions from outside",
        lambda: (version_from_outside(reference), version_from_outside(subject.target)),
    )
    if old is None or new is None or old == new:
        return []
    moved = subject.remember("moved", lambda: frozenset(map(chr, changed(old, new))))
    plain = "".join(STANDINS[category_in(char, new)] if char in moved else char for char in text)
    if plain == text or subject.try_encode(plain) != subject.reference_ids(plain):
        return []
    message = f"characters are classified as in Unicode {new}, by the reference as in {old}"
    return [Cause("Unicode version", (("is", new),), message=message)]
