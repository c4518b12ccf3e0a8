"""The results of a run as one frozen value, collected from its events, and its rendering."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.engine.events import (
    AnswersGiven,
    CampaignFinished,
    CauseDiscovered,
    DigestsTaken,
    Event,
    FamilyFinished,
    FindingReported,
    MetricsCollected,
    RoundFinished,
    ShardScanned,
    SkipRecorded,
    SlowTarget,
    SnapshotTaken,
    TargetFinished,
    TargetStarted,
    TokensListed,
    TokensSplit,
    UnitFinished,
)
from tokharness.errors import UsageError
from tokharness.model import Finding, Skip, Verdict
from tokharness.results.comparison import comparison
from tokharness.results.versions import versions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.changes import GateResult
    from tokharness.config import FailOn, Options
    from tokharness.errors import InternalError, TokharnessError
    from tokharness.model import TokenRow
    from tokharness.plugins import Format
    from tokharness.results.comparison import Comparison
    from tokharness.targets.snapshot import Snapshot, TemplateState

DEFAULT_EMBEDDING_WIDTH = 4096
"""The width of a model with about seven billion parameters."""


OF_AUDIT = frozenset({"vocabulary", "texts"})
"""Names of the measures of an audit."""


@dataclass(frozen=True, slots=True)
class TargetReport:
    """The results of one target.

    ``campaign`` summarizes a fuzzing campaign, and ``discovered`` has the causes in the order in
    which it discovered them. ``measures`` has the metrics by name, or is None without them.
    ``tokens`` has a row for each id, or is None if the run did not ask for rows. ``splits`` has the
    ids that the target gives for tokens of the other target of a comparison, by the other's id.
    ``templates`` are the chat templates that conversations were rendered with.
    """

    started: TargetStarted
    families: tuple[FamilyFinished, ...]
    findings: tuple[Finding, ...]
    skips: tuple[Skip, ...]
    finished: TargetFinished | None
    snapshot: Snapshot | None = None
    digests: DigestsTaken | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    campaign: CampaignFinished | None = None
    discovered: tuple[CauseDiscovered, ...] = ()
    measures: Mapping[str, Any] | None = None
    tokens: Sequence[TokenRow] | None = None
    splits: Mapping[int, Sequence[int]] = field(default_factory=dict)
    templates: tuple[TemplateState, ...] = ()

    def count(self, verdict: Verdict) -> int:
        """Number of findings with this verdict, without findings of a library."""
        return sum(one.verdict is verdict and not one.is_of_library for one in self.findings)

    @property
    def of_library(self) -> tuple[Finding, ...]:
        """The bugs and risks of the library that reads the file, whatever the file."""
        return tuple(finding for finding in self.findings if finding.is_of_library)


@dataclass(frozen=True, slots=True)
class Report:
    """The results of one run.

    If it was ``interrupted``, ``not_run`` has the specs of the targets that it did not reach.
    ``gate`` is the result of a gate. ``locations`` maps the spec of a target to the file of the
    user's repository that its findings are reported at. ``policy`` is the project's policy as
    plain data. A report with an ``embedding_width`` only compares its targets: it ran no cases,
    and computes the memory of embeddings of that width. ``created`` is a time in ISO 8601.
    ``error`` is the error of a plugin that ended the run, which then counts as interrupted. The
    report ``is_earlier`` if the command that shows it has not made the run.
    """

    options: Options
    targets: tuple[TargetReport, ...]
    versions: dict[str, Any]
    interrupted: bool = False
    gate: GateResult | None = None
    locations: Mapping[str, str] = field(default_factory=dict)
    policy: Mapping[str, Any] | None = None
    embedding_width: int | None = None
    not_run: tuple[str, ...] = ()
    created: str | None = None
    error: TokharnessError | InternalError | OSError | None = None
    is_earlier: bool = False

    def count(self, verdict: Verdict) -> int:
        """Number of findings with this verdict, over all targets, without findings of a library."""
        return sum(target.count(verdict) for target in self.targets)

    @property
    def unfinished(self) -> tuple[Skip, ...]:
        """The skips because of which the run is not finished."""
        return tuple(one for target in self.targets for one in target.skips if one.unfinished)


@dataclass
class Collector:
    """Collects the events of a run into a report, also of a run that did not finish."""

    options: Options
    events: list[Event] = field(default_factory=list)

    def add(self, event: Event) -> None:
        """Add the next event."""
        if not isinstance(event, UnitFinished | ShardScanned | RoundFinished | SlowTarget):
            self.events.append(event)

    def report(self, *, interrupted: bool = False) -> Report:
        """Return the report of the events so far."""
        starts = [i for i, event in enumerate(self.events) if isinstance(event, TargetStarted)]
        parts = [self.events[a:b] for a, b in pairwise([*starts, len(self.events)])]
        targets = tuple(_target_report(part) for part in parts)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        specs = {
            spec for one in targets for spec in (one.started.spec, one.started.against) if spec
        }
        found = versions(sorted(specs))
        return Report(self.options, targets, found, interrupted, created=created)


def _target_report(events: list[Event]) -> TargetReport:
    started = events[0]
    if not isinstance(started, TargetStarted):
        raise TypeError("the first event of a target is not TargetStarted")
    return TargetReport(
        started=started,
        families=tuple(e for e in events if isinstance(e, FamilyFinished)),
        findings=tuple(e.finding for e in events if isinstance(e, FindingReported)),
        skips=tuple(e.skip for e in events if isinstance(e, SkipRecorded)),
        finished=next((e for e in events if isinstance(e, TargetFinished)), None),
        snapshot=next((e.snapshot for e in events if isinstance(e, SnapshotTaken)), None),
        digests=next((e for e in events if isinstance(e, DigestsTaken)), None),
        answers=next((e.answers for e in events if isinstance(e, AnswersGiven)), {}),
        campaign=next((e for e in events if isinstance(e, CampaignFinished)), None),
        discovered=tuple(e for e in events if isinstance(e, CauseDiscovered)),
        measures=next((e.measures for e in events if isinstance(e, MetricsCollected)), None),
        tokens=next((e.tokens for e in events if isinstance(e, TokensListed)), None),
        splits=next((e.splits for e in events if isinstance(e, TokensSplit)), {}),
    )


def exit_code(report: Report, fail_on: FailOn) -> int:
    """Return 130 if interrupted; 2 if something was not finished; 1 if the gate fails.

    Also 1 if a finding of ``fail_on`` or worse fails the run, or if no finding meets an expectation
    of the policy; otherwise 0.
    """
    if report.interrupted:
        return 130
    if report.unfinished:
        return 2
    if report.gate is not None:
        return int(bool(report.gate.failing))
    if report.policy is not None and report.policy.get("unmet_expectations"):
        return 1
    on_library = report.options.fail_on_library
    findings = (finding for target in report.targets for finding in target.findings)
    return int(any(fails(finding, fail_on, on_library=on_library) for finding in findings))


def fails(finding: Finding, fail_on: FailOn, *, on_library: bool) -> bool:
    """Whether a finding fails a run; a finding of a library fails it only with ``on_library``."""
    failing = {"bug": [Verdict.BUG], "risk": [Verdict.BUG, Verdict.RISK], "never": []}[fail_on]
    return finding.verdict in failing and (on_library or not finding.is_of_library)


def compare_targets(report: Report) -> Comparison | None:
    """Compare the targets that have metrics, if there are two or an ``embedding_width``.

    The measures of an audit are not compared.
    """
    measured = {t.started.spec: t.measures for t in report.targets if t.measures is not None}
    if report.embedding_width is None and all(map(OF_AUDIT.issuperset, measured.values())):
        return None
    if report.embedding_width is None and len(measured) < 2:
        return None
    return comparison(measured, report.embedding_width or DEFAULT_EMBEDDING_WIDTH)


def find_format(name: str, *, compares: bool = False) -> Format:
    """Return the format of a name.

    Args:
        name: Its name.
        compares: Whether the report compares targets, which not every format can show.

    Raises:
        UnknownNameError: no format has this name.
        UsageError: it cannot show a comparison.

    """
    form = plugins.find("format", name, plugins.formats())
    if compares and not form.compares:
        names = ", ".join(name for name, one in plugins.formats().items() if one.compares)
        raise UsageError(f"the format {form.name} cannot compare targets: use one of {names}")
    return form
