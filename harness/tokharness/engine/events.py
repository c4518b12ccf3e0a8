"""Events of a run; progress lines, reports and journals are made from them.

Findings and skips are also plain data, for reports, journals and the pipes of workers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.model import Cause, Finding, Skip, Verdict
from tokharness.model.findings import SYMPTOM

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokharness.engine.requests import CrasherRows, Digests
    from tokharness.model import TokenRow
    from tokharness.targets.snapshot import ChangedText, Snapshot


@dataclass(frozen=True, slots=True)
class TargetStarted:
    """A target is loaded, and its checks start.

    ``comparison`` is a digest of its reference (:mod:`tokharness.targets.comparison`), or empty.
    """

    spec: str
    against: str | None
    capabilities: tuple[str, ...]
    normalizer: str | None
    unicode_version: str | None
    families: tuple[str, ...]
    checks: tuple[str, ...]
    comparison: str = ""


@dataclass(frozen=True, slots=True)
class SlowTarget:
    """A target is so slow that the run will take more than ten times its usual time.

    ``seconds`` estimates the time of the run, and ``usual_seconds`` its time with a target of usual
    speed, both from the first of the ``texts``. A journal does not have this event.
    """

    spec: str
    texts: int
    seconds: float
    usual_seconds: float


@dataclass(frozen=True, slots=True)
class UnitFinished:
    """The checks have run on one of the ``units`` of a family.

    Attributes:
        failing: Failing texts by the code of the check; a sample if there are very many.
        failing_left_out: Number of failing texts that are not in the sample, by code.
        guarded: Whether the target had a process of its own, since an earlier try killed a worker.
        worker_death: How the unit killed the worker; only for the first such unit of a family.
        crashers: Rows of the texts that are known to crash or hang the target after this unit.
        left_out: Number of texts that were not run, since they contain or resemble a crasher.
        not_compared: Number of texts without ids from the reference.
        encoded: Number of texts for which the target gave ids; None if it is unknown.
        unseen: Codes of the checks that saw no text.
        unchanged: Number of texts that decode to themselves.
        compared: Number of texts with ids from both the target and the reference.
        same_ids: Number of compared texts whose ids are equal.
        digest: The packed digest of the texts and results, of :mod:`tokharness.targets.digests`.
        changed: The shortest of the texts with other results than before, with their ids.
        not_run: Number of texts for which the profile leaves no time.

    """

    spec: str
    family: str
    number: int
    units: int
    cases: int
    failing: Mapping[str, Sequence[str]]
    seconds: float
    guarded: bool = False
    worker_death: str = ""
    left_out: int = 0
    not_compared: int = 0
    failing_left_out: Mapping[str, int] = field(default_factory=dict)
    crashers: CrasherRows = field(default=())
    encoded: int | None = None
    unseen: Sequence[str] = ()
    unchanged: int = 0
    compared: int = 0
    same_ids: int = 0
    digest: str = ""
    changed: Sequence[Mapping[str, Any]] = ()
    not_run: int = 0


@dataclass(frozen=True, slots=True)
class ShardScanned:
    """A shard of a corpus is scanned: its documents, and its bytes, of ``total`` bytes.

    It ``is_earlier`` if an earlier scan has done it. With ``is_choice`` it is only read, to choose
    a sample by number: an event without bytes begins this pass, before the start of the target.
    A journal does not have this event.
    """

    spec: str
    documents: int
    size: int
    total: int
    is_earlier: bool = False
    is_choice: bool = False


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """A round of a campaign has run ``cases`` texts of a source; ``failing`` counts failures.

    ``encoded`` and ``unseen`` are as in :class:`UnitFinished`.
    """

    spec: str
    number: int
    source: str
    cases: int
    failing: int
    encoded: int | None = None
    unseen: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class CauseDiscovered:
    """A campaign has discovered a cause, ``seconds`` after its start.

    ``text`` is the shortest text so far that shows the cause. The report may describe the cause
    differently, since it knows more texts, and has a smaller text.
    """

    spec: str
    code: str
    name: str
    cause: Cause
    text: str | None
    seconds: float


@dataclass(frozen=True, slots=True)
class CampaignFinished:
    """Summary of a campaign that ran the rounds from ``first_round`` to before ``end_round``.

    ``sources`` counts the texts of each source, ``features`` the features of each kind that all
    texts reached, and ``initial_corpus`` the texts that an earlier campaign had saved. A
    ``resumable`` campaign has saved its own corpus.
    """

    spec: str
    seed: int
    first_round: int
    end_round: int
    texts: int
    seconds: float
    sources: Mapping[str, int]
    features: Mapping[str, float]
    initial_corpus: int = 0
    resumable: bool = False


@dataclass(frozen=True, slots=True)
class FamilyFinished:
    """The checks have run on all cases of one family.

    ``unchanged``, ``compared`` and ``same_ids`` are as in :class:`UnitFinished`; None if they were
    not counted. ``diagnosed`` of the failing texts are diagnosed, all of them if it is None: too
    many are sampled, and a text of several families is diagnosed once.
    """

    spec: str
    family: str
    cases: int
    failing: int
    unchanged: int | None = None
    compared: int | None = None
    same_ids: int | None = None
    diagnosed: int | None = None


@dataclass(frozen=True, slots=True)
class FindingReported:
    """A cause is reported, with its smallest text."""

    finding: Finding


@dataclass(frozen=True, slots=True)
class SkipRecorded:
    """Something was not run."""

    skip: Skip


@dataclass(frozen=True, slots=True)
class SnapshotTaken:
    """The snapshot of a target is complete."""

    spec: str
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class DigestsTaken:
    """The packed digests of all units, by family and number.

    ``changed`` has some of the texts whose results differ from the earlier run, the shortest first.
    A journal does not have this event.
    """

    spec: str
    digests: Digests
    changed: tuple[ChangedText, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswersGiven:
    """The reference answered questions, now or in an earlier run.

    ``answers`` has the answers of the reference, by question. A journal does not have
    this event.
    """

    spec: str
    answers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class MetricsCollected:
    """Metrics for the report, as plain data by the name of the measure.

    The names are those of ``tokharness.engine.measures``, and ``texts``: the encodings of the texts
    of findings.
    """

    spec: str
    measures: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TokensListed:
    """All tokens of a target; a journal does not have this event."""

    spec: str
    tokens: Sequence[TokenRow]


@dataclass(frozen=True, slots=True)
class TokensSplit:
    """The ids that a target gives for tokens of another one, by their id there.

    A journal does not have this event.
    """

    spec: str
    splits: Mapping[int, Sequence[int]]


@dataclass(frozen=True, slots=True)
class TargetFinished:
    """All checks of a target are done.

    ``tokenizer_seconds`` is the time that all workers together spent in encoding and decoding
    cases. Both times are rounded to milliseconds, so that a report that is read from a file rounds
    to the same tenths.
    """

    spec: str
    cases: int
    seconds: float
    tokenizer_seconds: float

    def __post_init__(self) -> None:
        for name in ("seconds", "tokenizer_seconds"):
            object.__setattr__(self, name, round(getattr(self, name), 3))


Event: TypeAlias = (
    TargetStarted
    | SlowTarget
    | UnitFinished
    | ShardScanned
    | RoundFinished
    | CauseDiscovered
    | FamilyFinished
    | FindingReported
    | SkipRecorded
    | SnapshotTaken
    | DigestsTaken
    | AnswersGiven
    | MetricsCollected
    | TokensListed
    | TokensSplit
    | CampaignFinished
    | TargetFinished
)


def finding_record(finding: Finding) -> dict[str, Any]:
    """Return a finding as plain data; ``bytes`` (hex) replaces ``text`` if the case is bytes."""
    record: dict[str, Any] = {
        "spec": finding.spec,
        "code": finding.code,
        "name": finding.name,
        "verdict": finding.verdict.value,
        "cause": str(finding.cause),
        "cause_kind": finding.cause.kind,
        "cause_parameters": dict(finding.cause.parameters),
        "count": finding.count,
        "text": finding.text if isinstance(finding.text, str) else None,
        "families": list(finding.families),
        "message": finding.message,
        "symptom": finding.cause.weak,
        "fingerprint": finding.fingerprint,
        "reproduce": finding.reproduce,
        "other_checks": list(finding.other_checks),
        "library": finding.library,
        "evidence": dict(finding.evidence),
    }
    if isinstance(finding.text, bytes):
        record["bytes"] = finding.text.hex()
    return record


def finding_of(record: dict[str, Any]) -> Finding:
    """Make a finding of its record; raises KeyError, TypeError or ValueError if it is invalid."""
    cause = Cause(
        kind=record["cause_kind"],
        parameters=tuple(
            (str(key), str(value)) for key, value in record["cause_parameters"].items()
        ),
        verdict=Verdict(record["verdict"]),
        message=record["message"].removeprefix(SYMPTOM),
        weak=record.get("symptom", False),  # earlier releases did not say it
    )
    return Finding(
        spec=record["spec"],
        code=record["code"],
        name=record["name"],
        cause=cause,
        count=record["count"],
        text=bytes.fromhex(record["bytes"]) if "bytes" in record else record["text"],
        families=tuple(record["families"]),
        reproduce=record["reproduce"],
        evidence=record["evidence"],
        other_checks=tuple(record["other_checks"]),
        library=record.get("library", ""),  # earlier releases did not look for it
    )


def findings_record(findings: Mapping[str, Iterable[Finding]]) -> dict[str, list[dict[str, Any]]]:
    """Findings by the code of the check, as plain data."""
    return {code: list(map(finding_record, group)) for code, group in findings.items()}


def findings_of(record: Mapping[str, Iterable[dict[str, Any]]]) -> dict[str, list[Finding]]:
    """Make findings by the code of the check from the result of :func:`findings_record`."""
    return {code: list(map(finding_of, group)) for code, group in record.items()}


def skip_record(skip: Skip) -> dict[str, Any]:
    """Return a skip as plain data."""
    unfinished = {"unfinished": True} if skip.unfinished else {}
    return {"spec": skip.spec, "what": skip.what, "reason": skip.reason} | unfinished


def skip_of(record: dict[str, Any]) -> Skip:
    """Make a skip of its record; raises KeyError if a key is missing."""
    unfinished = record.get("unfinished", False)  # earlier releases did not say it
    return Skip(record["spec"], record["what"], record["reason"], unfinished)
