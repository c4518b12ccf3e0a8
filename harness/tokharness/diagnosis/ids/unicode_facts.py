"""The Unicode versions of a target, as facts: one for each version that a stage has.

A stage may have several tables of different versions: a library may classify punctuation at an
older version than letters. A fact names its tables, unless the main table of the stage, which has
the name of the stage alone, is one of them. Where the tables of several versions are the same, as
far as texts show it, the fact names the oldest and the newest of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.ids.alterable import alterable
from tokharness.model import Cause, Verdict
from tokharness.targets.stage_versions import CASE, NORMALIZER, SPLIT, equal_versions
from tokharness.unicode.versions import VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

__all__ = ["unicode_facts"]

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
    """Return the first and the last version at which each of some tables is as at a version."""
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
