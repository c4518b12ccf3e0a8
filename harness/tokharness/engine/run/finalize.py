"""End the run of a target: diagnose, audit, take the snapshot and metrics, and emit the events."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.engine.events import Event, FindingReported, SkipRecorded, SnapshotTaken
from tokharness.engine.run.diagnosis_requests import request_diagnosis
from tokharness.engine.run.report_requests import request_all_measures
from tokharness.engine.worker.merging import merge_findings
from tokharness.errors import PluginError
from tokharness.model import Skip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.engine.run.diagnosis_requests import Response, Results
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.targets.snapshot import Golden

__all__ = ["finalize", "reason_to_stop"]


def reason_to_stop(error: KeyboardInterrupt | PluginError) -> str:
    """Return the reason to skip the rest of a run that this error stops."""
    return str(error) if isinstance(error, PluginError) else "the run was interrupted"


def finalize(
    workers: Workers,
    results: Results,
    checks: Sequence[str],
    golden: Sequence[Golden] | None,
    responses: Mapping[str, Response] = MappingProxyType({}),
    *,
    measures: bool = False,
) -> Iterator[Event]:
    """Yield findings, skips, the snapshot unless ``golden`` is None, and ``measures`` if wanted.

    ``responses`` are those of audits that have finished.

    Raises:
        KeyboardInterrupt: the run was interrupted; skips for the rest were yielded before.
        PluginError: a plugin failed; the findings and a skip were yielded before.

    """
    spec = workers.pool.spec
    try:
        result = request_diagnosis(workers, results, checks, golden, responses)
    except KeyboardInterrupt:
        for code, texts in results.failing.items():
            what = f"the diagnosis of {len(texts):,} texts that fail {code}"
            yield SkipRecorded(Skip(spec, what, "the run was interrupted"))
        if any(plugins.checks()[code].audit for code in checks):
            yield SkipRecorded(Skip(spec, "the audit", "the run was interrupted"))
        raise
    findings = merge_findings(checks, *result.findings)
    yield from map(FindingReported, findings)
    for what, reason in result.skipped:
        yield SkipRecorded(Skip(spec, what, reason))
    if result.snapshot is not None:
        yield SnapshotTaken(spec, result.snapshot)
    if result.error is not None:
        raise result.error
    if measures:
        yield from request_all_measures(workers, results, findings)
