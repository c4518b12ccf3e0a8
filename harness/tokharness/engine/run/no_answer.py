"""The report of a target that could not be loaded, since it answers none of the first texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.engine.events import Event, FindingReported, SkipRecorded, TargetStarted
from tokharness.engine.run.death_findings import no_answer_findings
from tokharness.engine.run.selection import select_checks, select_families
from tokharness.engine.run.stops import reason_to_stop
from tokharness.model import Skip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.config import Options
    from tokharness.engine.first_texts import NoAnswerError

__all__ = ["not_answered"]


def not_answered(error: NoAnswerError, options: Options) -> Iterator[Event]:
    """Yield the start of the target, its findings, and a skip for each check and family."""
    families = tuple(family.name for family in select_families(options))
    checks = select_checks(options)
    codes = tuple(check.code for check in checks)
    yield TargetStarted(error.spec, None, (), None, None, families, codes)
    yield from map(FindingReported, no_answer_findings(error))
    for what in (*(f"family {name}" for name in families), "the audit"):
        yield SkipRecorded(Skip(error.spec, what, reason_to_stop(error)))
