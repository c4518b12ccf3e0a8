"""Unicode versions of a target and its reference: their differences, and the versions as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.ids.alterable import (
    alterable,
    at_versions_of_target,
    credible_changes,
    stands_for_reference,
)
from tokharness.model import Cause, Verdict
from tokharness.outcome import Raised
from tokharness.targets.fingerprint import detect_version_without_explainer
from tokharness.targets.stage_versions import CASE, NORMALIZER, SPLIT, equal_versions
from tokharness.unicode.versions import VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

# The Unicode versions of a target, as facts: one for each version that a stage has.
#
# A stage may have several tables of different versions: a library may classify punctuation at an
# older version than letters. A fact names its tables, unless it includes the main table, which has
# the name of the stage. If texts cannot distinguish the tables of several versions, the fact names
# the oldest and the newest of these versions.

DOES = {
    SPLIT: "classifies characters",
    NORMALIZER: "normalizes",
    CASE: "changes the case of letters",
}


def unicode_facts(subject: Subject) -> Iterator[Cause]:
    """Yield a fact for each Unicode version of each stage of the target that is known."""
    inferred = {
        SPLIT: subject.unicode_version,
        NORMALIZER: subject.normalizer_version,
        CASE: subject.case_version,
    }
    for stage, version in inferred.items():
        tables = {
            table: of_table
            for table, of_table in subject.stage_versions.items()
            if table.partition(", ")[0] == stage
        }
        if not tables and version is not None:
            tables = {stage: version}
        for one in sorted(set(tables.values()), key=[*tables.values()].index):
            of_version = [table for table, other in tables.items() if other == one]
            yield _fact(stage, _equal(of_version, one, subject), of_version)


def _equal(tables: list[str], version: str, subject: Subject) -> tuple[str, str]:
    """Return the first and the last version at which the tables equal their data of a version."""
    model = alterable(subject)
    if model is None or not model.can("with_stage_versions"):
        return version, version
    known = [table for table in tables if table in model.stage_versions]
    pairs = [equal_versions(table, version, model) for table in known]
    places = [[VERSIONS.index(one) for one in pair] for pair in pairs]
    if not places:
        return version, version
    return VERSIONS[max(first for first, _ in places)], VERSIONS[min(last for _, last in places)]


def _fact(stage: str, versions: tuple[str, str], tables: list[str]) -> Cause:
    first, last = versions
    version = first if first == last else f"{first} to {last}"
    do = "does" if first == last else "do, which are the same here"
    message = f"the target {DOES[stage]} as Unicode {version} {do}"
    if stage in tables:
        name = stage
    else:
        parts = " and ".join(sorted(table.partition(", ")[2] for table in tables))
        name, message = f"{stage}, {parts}", f"{message}, in its table of {parts}"
    kind = f"Unicode version of the {name}"
    return Cause(kind, (("is", version),), Verdict.FACT, message)


# A difference of Unicode versions between a target and a reference.

UNICODE_VERSION = "Unicode version"
"""Kind of the cause, with or without an explainer."""


def version_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Unicode versions at which the explainer gives the target's ids, the newest first.

    A text may fit a version by accident, so other causes of its split are kept too; the cause that
    most failures share is reported.
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
    # If the target's version was inferred, a text fits any other version only by accident.
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

    They do if both sides give the same ids once each reclassified character is replaced by a plain
    character of the category that it has in the target's version.
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
    """Whether both sides give the same ids; cached, since many texts become the same plain text."""
    known: dict[str, bool] = subject.cache.get_or_compute("agrees on plain texts", dict)
    if plain not in known:
        known[plain] = subject.encode(plain) == subject.reference_ids(plain)
    return known[plain]


NOT_BY_CATEGORY = frozenset({"split, scripts", "normalizer, grapheme clusters"})
"""Stages whose Unicode data may change for a character without a change of its category."""


def stage_version_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the Unicode versions of a stage at which the reference gives the target's ids.

    A text may have characters of several stages: then their versions give the ids together.
    """
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
    wanted = subject.reference_ids(text)
    together = known and at_versions_of_target(model, subject).encode(text) == list(ids)
    if together and list(ids) not in known.values():
        of_target = [key for key in known if key[0] in subject.stage_versions]
        alone = [key for key in of_target if known[key] != wanted]
        known = {key: list(ids) for key in alone or of_target}
    found = credible_changes(text, ids, known, wanted, subject)
    return [_at_version(*key, model, subject) for key in found]


def _reclassified(subject: Subject) -> frozenset[str]:
    """Return the characters whose category differs between two versions, with new characters."""

    def compute() -> frozenset[str]:
        from tokharness.unicode.versions import VERSIONS, changed

        return frozenset(map(chr, changed(VERSIONS[0], VERSIONS[-1])))

    return subject.cache.get_or_compute("reclassified", compute)


def _at_versions(reference: Target, found: Mapping[str, str]) -> Iterator[tuple[str, str, Target]]:
    """Yield the reference with one stage at another version, the newest versions first.

    If the target's version is known, other versions are left out: a text fits them by accident.
    """
    from tokharness.unicode.versions import VERSIONS

    for stage, known in reference.stage_versions.items():
        for version in [found[stage]] if stage in found else reversed(VERSIONS):
            if version != known:
                other = reference.at_stage_versions({stage: version})
                if not isinstance(other, Raised):
                    yield stage, version, other


def _at_version(stage: str, version: str, reference: Target, subject: Subject) -> Cause:
    first, last = subject.cache.get_or_compute(
        f"equal versions of {stage} at {version}", lambda: equal_versions(stage, version, reference)
    )
    of_target = version if first == last else f"{first} to {last}, which are the same here,"
    message = (
        f"the target has the Unicode version {of_target} in its {stage}, and the reference "
        f"{reference.stage_versions[stage]}"
    )
    return Cause(UNICODE_VERSION, (("is", version), ("of", stage)), message=message)
