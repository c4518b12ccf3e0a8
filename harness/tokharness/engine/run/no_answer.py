"""The report of a target that cannot be run: it does not load, or answers no first text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.engine.events import Event, FindingReported, SkipRecorded, TargetStarted
from tokharness.engine.run.death_findings import no_answer_findings, not_loaded_finding
from tokharness.engine.run.selection import select_checks, select_families
from tokharness.engine.run.stops import reason_to_stop
from tokharness.model import Skip

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokharness.config import Options
    from tokharness.engine.first_texts import NoAnswerError
    from tokharness.engine.load_failures import NotLoadedError
    from tokharness.model import Finding

__all__ = ["not_answered", "not_loaded"]


def not_answered(error: NoAnswerError, options: Options) -> Iterator[Event]:
    """Yield the start of the target, its findings, and a skip for each check and family."""
    yield from _not_run(error.spec, options, no_answer_findings(error), reason_to_stop(error))


def not_loaded(error: NotLoadedError, options: Options) -> Iterator[Event]:
    """Yield the start of the target, its one finding, and a skip for each check and family."""
    findings = [not_loaded_finding(error, options)]
    yield from _not_run(error.spec, options, findings, "the target does not load")


def _not_run(
    spec: str, options: Options, findings: Iterable[Finding], reason: str
) -> Iterator[Event]:
    families = tuple(family.name for family in select_families(options))
    codes = tuple(check.code for check in select_checks(options))
    yield TargetStarted(spec, None, (), None, None, families, codes)
    yield from map(FindingReported, findings)
    for what in (*(f"family {name}" for name in families), "the audit"):
        yield SkipRecorded(Skip(spec, what, reason))
