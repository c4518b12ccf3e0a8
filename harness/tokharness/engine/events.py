"""What a run tells while it goes on; progress, reports and journals are made of these."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.model import Cause, Finding, Skip
    from tokharness.targets.snapshot import Snapshot

__all__ = [
    "CampaignFinished",
    "FamilyFinished",
    "Event",
    "FindingReported",
    "MetricsCollected",
    "RoundFinished",
    "CauseDiscovered",
    "SkipRecorded",
    "SnapshotTaken",
    "TargetFinished",
    "TargetStarted",
    "UnitFinished",
]


@dataclass(frozen=True, slots=True)
class TargetStarted:
    """A target is loaded, and its cases are about to be tried."""

    spec: str
    against: str | None
    capabilities: tuple[str, ...]
    normalizer: str | None
    unicode_version: str | None
    families: tuple[str, ...]
    checks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnitFinished:
    """One of the ``units`` of a family's cases has been tried.

    ``failing`` has the texts that failed, by the code of the check. A ``guarded`` unit was tried
    with the target in a process of its own, since it ended that of the worker, as ``how_worker_ended`` says
    of the first such unit of a family; ``deadly`` is what was known then of texts that do, and
    ``left_out`` counts those that were left out, and ``not_compared`` those that the reference
    had no ids for. Of very many failing texts some are in ``failing``, and the others counted in
    ``failing_left_out``.
    """

    spec: str
    family: str
    number: int
    units: int
    cases: int
    failing: Mapping[str, Sequence[str]]
    seconds: float
    guarded: bool = False
    how_worker_ended: str = ""
    left_out: int = 0
    not_compared: int = 0
    failing_left_out: Mapping[str, int] = field(default_factory=dict)
    deadly: Sequence[Sequence[Any]] = field(default=())


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """A round of a campaign: how many texts of which source, and how many of them failed."""

    spec: str
    number: int
    source: str
    cases: int
    failing: int


@dataclass(frozen=True, slots=True)
class CauseDiscovered:
    """A cause was seen for the first time in a campaign, ``seconds`` after that began.

    ``text`` is the shortest that showed it then. The report tells the cause with its smallest text;
    it may say it otherwise, since by then more texts are known.
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
    ``resumable`` campaign has saved its own.
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
    """All cases of one family have been tried."""

    spec: str
    family: str
    cases: int
    failing: int


@dataclass(frozen=True, slots=True)
class FindingReported:
    """One cause, with its smallest text."""

    finding: Finding


@dataclass(frozen=True, slots=True)
class SkipRecorded:
    """Something could not be run."""

    skip: Skip


@dataclass(frozen=True, slots=True)
class SnapshotTaken:
    """The golden texts have been tried, and the fingerprint told."""

    spec: str
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class MetricsCollected:
    """What was measured for a reader, as plain data, by the name of the measure.

    Beside those of ``tokharness.engine.measures``, ``texts`` has encodings of what was found.
    """

    spec: str
    measures: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TargetFinished:
    """All checks of a target are done.

    ``tokenizer_seconds``, summed over workers, were spent in encoding and decoding cases.
    """

    spec: str
    cases: int
    seconds: float
    tokenizer_seconds: float


Event: TypeAlias = (
    TargetStarted
    | UnitFinished
    | RoundFinished
    | CauseDiscovered
    | FamilyFinished
    | FindingReported
    | SkipRecorded
    | SnapshotTaken
    | MetricsCollected
    | CampaignFinished
    | TargetFinished
)
