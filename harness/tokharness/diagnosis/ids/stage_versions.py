"""A stage of the target that has another Unicode version than that of the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.ids.alterable import alterable, stands_for_reference
from tokharness.diagnosis.ids.credible_changes import credible_changes
from tokharness.diagnosis.ids.version_differences import UNICODE_VERSION
from tokharness.model import Cause
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

__all__ = ["stage_version_causes"]

NOT_BY_CATEGORY = frozenset({"split, scripts", "normalizer, grapheme clusters"})
"""Stages whose Unicode data also changes for characters whose general category does not."""


def stage_version_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the Unicode versions of a stage at which the reference gives the target's ids."""
    model = alterable(subject)
    if model is None or not model.stage_versions or text.isascii():
        return []
    if not stands_for_reference(model, text, subject):
        return []
    pinned = subject.cache.get_or_compute(
        "reference at stage versions",
        lambda: list(_at_versions(model, subject.stage_versions)),
    )
    changed = not _reclassified(subject).isdisjoint(text)
    known = {
        (stage, version): other.encode(text)
        for stage, version, other in pinned
        if changed or stage in NOT_BY_CATEGORY
    }
    found = credible_changes(text, ids, known, subject.reference_ids(text), subject)
    return [_at_version(*key, model) for key in found]


def _reclassified(subject: Subject) -> frozenset[str]:
    """Return the characters whose category differs between two versions, new ones among them."""

    def compute() -> frozenset[str]:
        from tokharness.unicode.versions import VERSIONS, changed

        return frozenset(map(chr, changed(VERSIONS[0], VERSIONS[-1])))

    return subject.cache.get_or_compute("reclassified", compute)


def _at_versions(reference: Target, found: Mapping[str, str]) -> Iterator[tuple[str, str, Target]]:
    """Yield the reference with one stage at another version, the newest versions first.

    Where the version of the target is known, a text that fits another one is an accident.
    """
    from tokharness.unicode.versions import VERSIONS

    for stage, known in reference.stage_versions.items():
        for version in [found[stage]] if stage in found else reversed(VERSIONS):
            if version != known:
                other = reference.at_stage_versions({stage: version})
                if not isinstance(other, Raised):
                    yield stage, version, other


def _at_version(stage: str, version: str, reference: Target) -> Cause:
    message = (
        f"the target has the Unicode version {version} in its {stage}, and the reference "
        f"{reference.stage_versions[stage]}"
    )
    return Cause(UNICODE_VERSION, (("is", version), ("of", stage)), message=message)
