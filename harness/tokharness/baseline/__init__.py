"""A baseline: what a tokenizer was when somebody accepted it, in a file that people review.

The file is JSON in ASCII, one entry a line, sorted, so that a change of it reads as such in a pull
request. It is written aside and put in its place whole. It keeps:

- ``accepted``: findings and changes by fingerprint, each with its reason, the day it was first
  seen, and the day on which the acceptance expires, if it does;
- ``fingerprint`` of the target, its ``capabilities``, the ``checks`` that ran and the ``skips``;
- ``golden``: texts with their ids, and ``entry_points``: those that another entry point than that
  for plain text gives other ids; ``metrics``: tokens a code point of each family, language and
  script, and figures of the vocabulary; ``facts`` that are by design.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokharness.targets.snapshot import Fingerprint, Golden, fertility

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping

    from tokharness.config import Options
    from tokharness.model import Skip
    from tokharness.results.report import TargetReport

__all__ = [
    "SCHEMA_VERSION",
    "Acceptance",
    "Baseline",
    "RunOptions",
    "baseline_of",
    "metrics_of",
    "run_options_of",
    "skip_key",
]

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A finding or a change that somebody accepted, and why; ``expires`` is the last day of it.

    ``verdict`` is that of a finding when it was accepted.
    """

    fingerprint: str
    kind: str
    what: str
    verdict: str | None
    reason: str
    first_seen: dt.date
    expires: dt.date | None = None

    def has_expired(self, today: dt.date) -> bool:
        """Whether the last day of it is over."""
        return self.expires is not None and today > self.expires


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of the run that a baseline is of, as far as they decide what is found."""

    profile: str
    seed: int
    examples: int | None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    families: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a baseline file says."""

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
    accepted: tuple[Acceptance, ...] = field(default=())


def baseline_of(
    name: str, target: TargetReport, options: Options, versions: Mapping[str, Any]
) -> Baseline:
    """Make a baseline, with nothing accepted yet, of what a run with a snapshot told of a target.

    Raises:
        ValueError: no snapshot was taken.

    """
    snapshot = target.snapshot
    if snapshot is None:
        raise ValueError("a baseline needs a snapshot")
    return Baseline(
        name=name,
        spec=target.started.spec,
        against=target.started.against,
        run=run_options_of(options),
        versions={
            "tokharness": versions["tokharness"],
            **versions["unicode"],
            **{name: one for some in versions["targets"].values() for name, one in some.items()},
        },
        fingerprint=snapshot.fingerprint,
        capabilities=tuple(sorted(target.started.capabilities)),
        checks=target.started.checks,
        skips={skip_key(skip): skip.reason for skip in target.skips},
        golden=snapshot.golden,
        entries=snapshot.entries,
        metrics=metrics_of(target),
        facts={
            f"{one.code} {one.cause}": one.message
            for one in target.findings
            if one.verdict.value == "by design"
        },
    )


def run_options_of(options: Options) -> RunOptions:
    """Give the part of the options that a baseline keeps."""
    return RunOptions(
        profile=options.profile,
        seed=options.seed,
        examples=options.examples,
        select=options.select,
        ignore=options.ignore,
        families=options.families,
    )


def metrics_of(target: TargetReport) -> dict[str, float]:
    """Tokens a code point by group, and figures of the vocabulary, rounded to six digits."""
    if target.snapshot is None:
        return {}
    figures = {f"vocabulary:{name}": value for name, value in target.snapshot.figures.items()}
    tokens = {group: round(value, 6) for group, value in fertility(target.snapshot.golden).items()}
    return {**tokens, **figures}


def skip_key(skip: Skip) -> str:
    """What was skipped, without the numbers, which differ from run to run."""
    return re.sub(r"(?<![A-Za-z0-9])[0-9][0-9,]*", "#", skip.what)
