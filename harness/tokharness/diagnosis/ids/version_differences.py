"""A difference of Unicode versions between a target and a reference, without an explainer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Cause
from tokharness.targets.fingerprint import detect_version_without_explainer

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["UNICODE_VERSION", "version_difference_causes"]

UNICODE_VERSION = "Unicode version"
"""Kind of the cause, also of those that an explainer finds."""


def version_difference_causes(text: str, subject: Subject) -> list[Cause]:
    """Cause that names the target's Unicode version, if reclassified characters explain the ids.

    They do if both give the same ids after each such character is replaced by a plain one of the
    class that it has in the target's version.
    """
    reference = subject.reference
    if reference is None or text.isascii():
        return []
    from tokharness.unicode.versions import STANDINS, category_in, changed

    old, new = subject.cache.get_or_compute(
        "versions from outside",
        lambda: (
            detect_version_without_explainer(reference),
            detect_version_without_explainer(subject.target),
        ),
    )
    if old is None or new is None or old == new:
        return []
    moved = subject.cache.get_or_compute("moved", lambda: frozenset(map(chr, changed(old, new))))
    plain = "".join(STANDINS[category_in(char, new)] if char in moved else char for char in text)
    if plain == text or not _agrees_on(plain, subject):
        return []
    message = f"the target classifies characters as Unicode {new}, the reference as {old}"
    return [Cause(UNICODE_VERSION, (("is", new),), message=message)]


def _agrees_on(plain: str, subject: Subject) -> bool:
    """Whether both sides give the same ids; thousands of characters leave the same plain text."""
    known: dict[str, bool] = subject.cache.get_or_compute("agrees on plain texts", dict)
    if plain not in known:
        known[plain] = subject.encode(plain) == subject.reference_ids(plain)
    return known[plain]
