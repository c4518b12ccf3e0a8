"""What a run tells while it goes on; progress, reports and journals are made of these."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.model import Cause, Finding, Skip
    from tokharness.targets.snapshot import Snapshot

__all__ = [
    "CampaignEnded",
    "CasesTried",
    "Event",
    "Found",
    "Measured",
    "RoundTried",
    "Sighted",
    "Skipped",
    "SnapshotTaken",
    "TargetFinished",
    "TargetStarted",
    "UnitTried",
]


@dataclass(frozen=True, slots=True)
class TargetStarted:
    """A target is loaded, and its cases are about to be tried."""

    target: str
    against: str | None
    capabilities: tuple[str, ...]
    normalizer: str | None
    unicode_version: str | None
    families: tuple[str, ...]
    checks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnitTried:
    """One of the ``units`` of a family's cases has been tried.

    ``failing`` has the texts that failed, by the code of the check. A ``guarded`` unit was tried
    with the target in a process of its own, since it ended that of the worker, as ``how_worker_ended`` says
    of the first such unit of a family; ``deadly`` is what was known then of texts that do, and
    ``left_out`` counts those that were left out, and ``not_compared`` those that the reference
    had no ids for. Of very many failing texts some are in ``failing``, and the others counted in
    ``failing_left_out``.
    """

    target: str
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
class RoundTried:
    """A round of a campaign: how many texts of which source, and how many of them failed."""

    target: str
    number: int
    source: str
    cases: int
    failing: int


@dataclass(frozen=True, slots=True)
class Sighted:
    """A cause was seen for the first time in a campaign, ``seconds`` after that began.

    ``text`` is the shortest that showed it then. The report tells the cause with its smallest text;
    it may say it otherwise, since by then more texts are known.
    """

    target: str
    code: str
    name: str
    cause: Cause
    text: str | None
    seconds: float


@dataclass(frozen=True, slots=True)
class CampaignEnded:
    """What a campaign has done: from which round to before which, texts and seconds, and reached.

    ``sources`` has the texts of each source, ``reached`` how much was reached of each kind, and
    ``remembered`` counts the texts that an earlier campaign had kept. One that is ``kept`` can be
    gone on with.
    """

    target: str
    seed: int
    first: int
    end: int
    texts: int
    seconds: float
    sources: Mapping[str, int]
    reached: Mapping[str, float]
    remembered: int = 0
    kept: bool = False


@dataclass(frozen=True, slots=True)
class CasesTried:
    """All cases of one family have been tried."""

    target: str
    family: str
    cases: int
    failing: int


@dataclass(frozen=True, slots=True)
class Found:
    """One cause, with its smallest text."""

    finding: Finding


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something could not be run."""

    skip: Skip


@dataclass(frozen=True, slots=True)
class SnapshotTaken:
    """The golden texts have been tried, and the fingerprint told."""

    target: str
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured for a reader, as plain data, by the name of the measure.

    Beside those of ``tokharness.engine.measures``, ``texts`` has encodings of what was found.
    """

    target: str
    measures: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TargetFinished:
    """A target is done; ``seconds`` of it were spent in encoding and decoding the cases."""

    target: str
    cases: int
    seconds: float
    seconds_observing: float


Event: TypeAlias = (
    TargetStarted
    | UnitTried
    | RoundTried
    | Sighted
    | CasesTried
    | Found
    | Skipped
    | SnapshotTaken
    | Measured
    | CampaignEnded
    | TargetFinished
)
