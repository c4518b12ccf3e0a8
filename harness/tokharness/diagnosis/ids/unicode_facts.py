"""The Unicode versions of a target, as facts: one for each version that a stage has.

A stage may have several tables of different versions: a library may classify punctuation at an
older version than letters. A fact names its tables, unless the main table of the stage, which has
the name of the stage alone, is one of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Cause, Verdict
from tokharness.targets.stage_versions import CASE, NORMALIZER, SPLIT

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
            yield _fact(stage, one, [table for table, other in tables.items() if other == one])


def _fact(stage: str, version: str, tables: list[str]) -> Cause:
    message = f"the target {DOES[stage]} as Unicode {version} does"
    if stage in tables:
        name = stage
    else:
        parts = " and ".join(sorted(table.partition(", ")[2] for table in tables))
        name, message = f"{stage}, {parts}", f"{message}, in its table of {parts}"
    kind = f"Unicode version of the {name}"
    return Cause(kind, (("is", version),), Verdict.FACT, message)
