"""A baseline: the accepted state of a tokenizer, in a file that people review.

The file is JSON in ASCII, sorted, with one entry per line, so that its diff in a pull request is
readable. It is replaced atomically. It has:

- ``accepted``: findings and changes by fingerprint, each with a reason, the day it was first seen,
  and optionally the day on which the acceptance expires;
- ``fingerprint`` of the target, its ``capabilities``, the ``checks`` that ran and the ``skips``;
- ``file``: a digest of each stage of the tokenizer's file, and the file itself, packed;
- ``bodies``: a digest of the ids of every token's own text, of ordinary texts and of a corpus;
- ``digests``: of the texts and results of each unit of the run, and the unit's blocks that had the
  ids of the reference; ``answers`` of this reference; ``comparison``, a digest of it;
- ``golden``: texts with their ids; ``entry_points``: texts to which a further entry point gives
  different ids than the entry point for plain text;
- ``templates``: chat templates, and ``renderings``, a digest of each shape of a conversation and of
  what each template makes of it;
- ``metrics``: tokens per code point of each family, language and script, and figures of the
  vocabulary; ``facts``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokharness.model import Verdict
from tokharness.targets.comparison import comparison_key
from tokharness.targets.snapshot import EarlierState, FileState, Fingerprint, Golden, fertility
from tokharness.targets.stage_versions import CASE, NORMALIZER, SPLIT

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping

    from tokharness.config import Options
    from tokharness.engine.requests import Digests
    from tokharness.model import Skip
    from tokharness.results.report import TargetReport
    from tokharness.targets.snapshot import TemplateState

__all__ = [
    "SCHEMA_VERSION",
    "Acceptance",
    "Baseline",
    "RunOptions",
    "baseline_of",
    "earlier_state",
    "metrics_of",
    "run_options_of",
    "skip_key",
    "versions_for",
]

SCHEMA_VERSION = 2


@dataclass(frozen=True, slots=True)
class Acceptance:
    """An accepted finding or change, with the reason; ``expires`` is its last day.

    ``verdict`` is the verdict of a finding when it was accepted, and ``library`` the library that
    had it, whatever the file, or "".
    """

    fingerprint: str
    kind: str
    what: str
    verdict: str | None
    reason: str
    first_seen: dt.date
    expires: dt.date | None = None
    library: str = ""

    def has_expired(self, today: dt.date) -> bool:
        """Whether today is after the last day of the acceptance."""
        return self.expires is not None and today > self.expires


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of the run of a baseline that affect what it finds."""

    profile: str
    seed: int
    examples: int | None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    families: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Baseline:
    """The content of a baseline file.

    ``entries`` are its ``entry_points``; ``bodies`` has the number of texts of each body and their
    packed digest. ``digests`` are of all units of the run, ``answers`` are the reference's
    (:mod:`tokharness.targets.comparison`), and ``comparison`` is the
    :func:`~tokharness.targets.comparison.comparison_key` of this reference and of the code, or
    empty. ``templates`` are the chat templates; a baseline of an earlier release has none.
    """

    name: str
    spec: str
    against: str | None
    run: RunOptions
    versions: Mapping[str, str]
    fingerprint: Fingerprint
    capabilities: tuple[str, ...]
    checks: tuple[str, ...]
    skips: Mapping[str, str]
    golden: tuple[Golden, ...]
    metrics: Mapping[str, float]
    facts: Mapping[str, str]
    entries: tuple[Golden, ...] = ()
    file: FileState | None = None
    bodies: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    digests: Digests = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    comparison: str = ""
    templates: tuple[TemplateState, ...] = ()
    accepted: tuple[Acceptance, ...] = field(default=())


def baseline_of(
    name: str, target: TargetReport, options: Options, versions: Mapping[str, Any]
) -> Baseline:
    """Make a baseline, without acceptances, of the results of a run that took a snapshot.

    Raises:
        ValueError: the run took no snapshot.

    """
    snapshot = target.snapshot
    if snapshot is None:
        raise ValueError("a baseline needs a snapshot")
    return Baseline(
        name=name,
        spec=target.started.spec,
        against=target.started.against,
        run=run_options_of(options),
        versions=versions_for(target, versions),
        fingerprint=snapshot.fingerprint,
        capabilities=tuple(sorted(target.started.capabilities)),
        checks=target.started.checks,
        skips={skip_key(skip): skip.reason for skip in target.skips},
        golden=snapshot.golden,
        entries=snapshot.entries,
        digests={} if target.digests is None else target.digests.digests,
        answers=target.answers if target.started.comparison else {},
        comparison=comparison_key(target.started.comparison),
        templates=target.templates,
        metrics=metrics_of(target),
        file=snapshot.file,
        bodies={name: (snapshot.sizes[name], one) for name, one in snapshot.bodies.items()},
        facts={
            f"{finding.code} {finding.cause}": finding.message
            for finding in target.findings
            if finding.verdict is Verdict.FACT
        },
    )


def versions_for(target: TargetReport, versions: Mapping[str, Any]) -> dict[str, str]:
    """Return the versions of a run on which the results of a target depend, by name."""
    return {
        "tokharness": versions["tokharness"],
        **versions["unicode"],
        **{
            name: version
            for scheme, packages in versions["targets"].items()
            if "@" not in scheme or target.started.spec.startswith(f"{scheme}:")
            for name, version in packages.items()
        },
    }


def earlier_state(baseline: Baseline) -> EarlierState:
    """Return what a new snapshot is compared with, apart from the golden texts."""
    fingerprint = baseline.fingerprint
    versions = {
        NORMALIZER: fingerprint.normalizer_version,
        CASE: fingerprint.case_version,
        SPLIT: fingerprint.unicode_version,
    }
    return EarlierState(
        baseline.file,
        {name: one for name, (_, one) in baseline.bodies.items()},
        {stage: version for stage, version in versions.items() if version is not None},
    )


def run_options_of(options: Options) -> RunOptions:
    """Return the options of a run that a baseline stores."""
    return RunOptions(
        profile=options.profile,
        seed=options.seed,
        examples=options.examples,
        select=options.select,
        ignore=options.ignore,
        families=options.families,
    )


def metrics_of(target: TargetReport) -> dict[str, float]:
    """Return tokens per code point by group, rounded to six digits, and vocabulary figures."""
    if target.snapshot is None:
        return {}
    figures = {f"vocabulary:{name}": value for name, value in target.snapshot.figures.items()}
    tokens = {group: round(value, 6) for group, value in fertility(target.snapshot.golden).items()}
    return {**tokens, **figures}


def skip_key(skip: Skip) -> str:
    """Return a skip's description without numbers, which differ between runs."""
    return re.sub(r"(?<![A-Za-z0-9])[0-9][0-9,]*", "#", skip.what)
