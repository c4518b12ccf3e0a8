"""The whole line: targets, families, checks, causes, smallest texts, as a stream of events."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.engine.events import (
    CasesTried,
    Event,
    Found,
    Skipped,
    TargetFinished,
    TargetStarted,
)
from tokharness.engine.findings import findings
from tokharness.engine.loading import Loaded, load_subject
from tokharness.engine.observing import batches, observe
from tokharness.engine.random_cases import draw
from tokharness.errors import UnknownNameError
from tokharness.model import Skip, TargetFacts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.config import Options
    from tokharness.plugins import Check, Family
    from tokharness.subject import Subject

__all__ = ["chosen_checks", "chosen_families", "run"]


def run(targets: Sequence[str], options: Options) -> Iterator[Event]:
    """Check every target, one after another; raises what ends a run before it can answer."""
    checks, families = chosen_checks(options), chosen_families(options)
    for spec in targets:
        yield from _run_target(spec, checks, families, options)


def chosen_checks(options: Options) -> list[Check]:
    """Checks that ``select`` names and ``ignore`` does not, in the order of their codes."""
    known = list(plugins.checks().values())
    for selector in (*options.select, *options.ignore):
        if not any(check.matches(selector) for check in known):
            names = [name for check in known for name in (check.code, check.name)]
            raise UnknownNameError("check", selector, names)
    return [
        check
        for check in known
        if (not options.select or any(check.matches(s) for s in options.select))
        and not any(check.matches(s) for s in options.ignore)
    ]


def chosen_families(options: Options) -> list[Family]:
    """Families that the options name, or all."""
    known = plugins.families()
    if not options.families:
        return list(known.values())
    return [plugins.find("family", name, known) for name in dict.fromkeys(options.families)]


@dataclass
class _Tally:
    """What one target has shown so far."""

    failing: dict[str, dict[str, str]] = field(default_factory=dict)
    cases: int = 0
    seconds: float = 0.0


def _run_target(
    spec: str, checks: list[Check], families: list[Family], options: Options
) -> Iterator[Event]:
    begin = time.perf_counter()
    loaded = load_subject(spec, options.against)
    subject = loaded.subject
    reference = subject.reference.spec if subject.reference else None
    missing = {check.code: _missing(check, loaded) for check in checks}
    able = [check for check in checks if not missing[check.code]]
    yield TargetStarted(
        target=spec,
        against=reference,
        capabilities=subject.target.capabilities,
        normalizer=subject.target.normalizer,
        unicode_version=subject.unicode_version,
        families=tuple(family.name for family in families),
        checks=tuple(check.code for check in able),
    )
    for check in checks:
        if missing[check.code]:
            yield Skipped(Skip(spec, f"{check.code} {check.name}", missing[check.code]))
    tally = _Tally()
    left = list(families)
    interrupted = False
    try:
        while left:
            yield _try_family(left[0], able, subject, options, tally)
            del left[0]
    except KeyboardInterrupt:  # what was found until now is told before the run ends
        interrupted = True
        for family in left:
            yield Skipped(Skip(spec, f"family {family.name}", "the run was interrupted"))
    for finding in findings(able, subject, tally.failing):
        yield Found(finding)
    seconds = time.perf_counter() - begin
    if interrupted:
        raise KeyboardInterrupt
    yield TargetFinished(spec, tally.cases, seconds, tally.seconds)


def _missing(check: Check, loaded: Loaded) -> str:
    """Why a check cannot look at this target; "" if it can."""
    lacking = [name for name in check.requires if not _has(loaded.subject, name)]
    if not lacking:
        return ""
    if "reference" in lacking:
        return f"there is no reference to compare with: {loaded.no_reference}"
    return f"the target has no {' and no '.join(lacking)}"


def _has(subject: Subject, name: str) -> bool:
    if name == "reference":
        return subject.reference is not None
    return subject.target.can(name) or getattr(subject.target, name, None) is not None


def _try_family(
    family: Family, checks: list[Check], subject: Subject, options: Options, tally: _Tally
) -> CasesTried:
    """Try all cases of a family, enumerated and random, and keep the texts that fail."""
    facts = TargetFacts(tuple(subject.special_tokens))
    cases = failing = 0
    random = draw(family.strategy(facts), options.examples, options.seed)
    enumerated = batches(family.cases(facts))
    for texts in (*enumerated, random):
        begin = time.perf_counter()
        batch = observe(subject, family.name, texts)
        tally.seconds += time.perf_counter() - begin
        cases += len(texts)
        for check in checks:
            if check.failing is None:
                continue
            rows = check.failing(batch, subject)
            failing += len(rows)
            known = tally.failing.setdefault(check.code, {})
            for row in rows:
                known.setdefault(texts[row], family.name)
    tally.cases += cases
    return CasesTried(subject.target.spec, family.name, cases, failing)
