"""How the run of a target ends: what failed is diagnosed, the target audited, all of it told."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.engine.events import Event, FindingReported, SkipRecorded, SnapshotTaken
from tokharness.engine.run.diagnosis_requests import answers_of
from tokharness.engine.run.measure_requests import measured
from tokharness.engine.worker.findings import merge_findings
from tokharness.model import Skip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.engine.run.diagnosis_requests import Answer, Told
    from tokharness.engine.run.workers import Workers
    from tokharness.targets.snapshot import Golden

__all__ = ["finalize"]


def finalize(
    crew: Workers,
    tried: Told,
    checks: Sequence[str],
    golden: Sequence[Golden] | None,
    known: Mapping[str, Answer] = MappingProxyType({}),
    *,
    measures: bool = False,
) -> Iterator[Event]:
    """Tell findings, skips, the snapshot, and ``measures`` if they are wanted.

    ``known`` are answers that were given before.

    Raises:
        KeyboardInterrupt: it was interrupted; what is lost by that has been told.

    """
    spec = crew.pool.spec
    try:
        answers = answers_of(crew, tried, checks, golden, known)
    except KeyboardInterrupt:
        for code, texts in tried.failing.items():
            what = f"the diagnosis of {len(texts):,} texts that fail {code}"
            yield SkipRecorded(Skip(spec, what, "the run was interrupted"))
        if any(plugins.checks()[code].audit for code in checks):
            yield SkipRecorded(Skip(spec, "the audit", "the run was interrupted"))
        raise
    findings = merge_findings(checks, *answers.findings)
    for finding in findings:
        yield FindingReported(finding)
    for what, reason in answers.lost:
        yield SkipRecorded(Skip(spec, what, reason))
    if answers.snapshot is not None:
        yield SnapshotTaken(spec, answers.snapshot)
    if measures:
        yield from measured(crew, tried, findings)
