"""A difference of Unicode versions between a target and a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Cause
from tokharness.outcome import Raised
from tokharness.targets.fingerprint import detect_version_without_explainer

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["UNICODE_VERSION", "version_causes"]

UNICODE_VERSION = "Unicode version"
"""Kind of the cause, also of those that an explainer finds."""


def version_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Unicode versions at which the explainer gives the target's ids, the newest first.

    A text may fit a version by accident, so the causes of its split follow; the cause that most
    failures share wins.
    """
    explainer = subject.explainer
    if explainer is None:
        return _causes_without_explainer(text, subject)
    if not explainer.can("with_unicode_version") or text.isascii():
        return []
    from tokharness.unicode.versions import VERSIONS, changed

    reclassified = subject.cache.get_or_compute(
        "reclassified", lambda: frozenset(map(chr, changed(VERSIONS[0], VERSIONS[-1])))
    )
    if reclassified.isdisjoint(text):
        return []
    pinned = subject.cache.get_or_compute(
        "explainers", lambda: {v: explainer.at_unicode_version(v) for v in VERSIONS}
    )
    wanted = subject.expected_text(text)
    causes = []
    # Where the version was inferred from outside, a text that fits another one is an accident.
    for version in [subject.unicode_version] if subject.unicode_version else reversed(VERSIONS):
        at_version = pinned[version]
        if not isinstance(at_version, Raised) and at_version.encode(wanted) == ids:
            message = (
                f"the target classifies characters as Unicode {version} does, and the reference "
                "does not"
            )
            causes.append(Cause(UNICODE_VERSION, (("is", version),), message=message))
    return causes


def _causes_without_explainer(text: str, subject: Subject) -> list[Cause]:
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
