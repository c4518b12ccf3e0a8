"""Changes of a gate: the entry points of the target, and what did not run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.baseline import skip_key
from tokharness.changes import Change, change_of
from tokharness.config import PROFILES, RUN_LIMIT
from tokharness.engine.run.selection import LACKS
from tokharness.gate.fingerprint import fingerprint_changes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.baseline import Baseline, RunOptions
    from tokharness.results.report import TargetReport
    from tokharness.targets.snapshot import Fingerprint

__all__ = ["target_changes"]


def target_changes(target: TargetReport, baseline: Baseline, run: RunOptions) -> Iterator[Change]:
    """Yield changes of the fingerprint, of the entry points, and of what ran."""
    yield from fingerprint_changes(target, baseline)
    old = baseline.fingerprint
    new = target.snapshot.fingerprint if target.snapshot else old
    before = _entry_points(baseline.capabilities, old)
    now = _entry_points(target.started.capabilities, new)
    for name in sorted(before - now):
        yield _lost_entry_point(name, target)
    for name in sorted(now - before):
        message = f"the target now has {name}"
        identity = f"the target has {name}, which it had not"
        yield change_of("new-entry-point", name, message, identity=identity, fails=False)
    yield from _narrower_run(run, baseline.run)
    yield from _not_run(target, baseline, before - now)


def _lost_entry_point(name: str, target: TargetReport) -> Change:
    checks = [skip_key(skip) for skip in target.skips if skip.reason.startswith(LACKS + name)]
    message, identity = f"the target no longer has {name}", f"the target has {name} no longer"
    if checks:
        message += f", so it is not checked by {', '.join(checks)}"
        identity += f", so that it is not checked by {', '.join(checks)}"
    return change_of("lost-entry-point", name, message, identity=identity)


def _entry_points(methods: Sequence[str], fingerprint: Fingerprint) -> set[str]:
    """Return optional methods and ``n_vocab``, which checks of the vocabulary require too."""
    return {*methods, *(() if fingerprint.n_vocab is None else ("n_vocab",))}


def _narrower_run(run: RunOptions, before: RunOptions) -> Iterator[Change]:
    """Yield changes for a quicker profile or fewer families than the baseline has."""
    profiles = list(PROFILES)
    if profiles.index(run.profile) < profiles.index(before.profile):
        message = f"the profile is {run.profile}, and the baseline has {before.profile}"
        identity = f"the run is {run.profile}, and that of the baseline was {before.profile}"
        what = f"more than the {run.profile} profile"
        yield change_of("check-not-run", what, message, identity=identity)
    required = set(before.families) - set(_replayed_families())
    if run.families and not (before.families and required <= set(run.families)):
        families = ", ".join(run.families)
        message = f"only these families were run: {families}"
        identity = f"only these families were tried: {families}"
        yield change_of("check-not-run", "other families", message, identity=identity)


def _not_run(target: TargetReport, baseline: Baseline, lost: set[str]) -> Iterator[Change]:
    """Yield skips that the baseline does not have, and checks that only ran for it."""
    explained = tuple(LACKS + name for name in lost)
    known = {*baseline.skips, *_skips_of_replayed_families()}
    for skip in target.skips:
        if skip_key(skip) in known or (explained and skip.reason.startswith(explained)):
            continue
        what = skip_key(skip)
        if RUN_LIMIT not in skip.reason:
            yield change_of("new-skip", what, f"{skip.what} was not run: {skip.reason}")
        elif what not in known:  # the reason has numbers, which differ between machines
            known.add(what)
            message = f"{skip.what} was not finished: {skip.reason}"
            yield change_of("new-skip", what, message, identity="not finished in time")
    skipped = {skip.what.partition(" ")[0] for skip in target.skips}
    for code in sorted(set(baseline.checks) - set(target.started.checks) - skipped):
        message = f"{code} ran for the baseline but not now"
        identity = f"{code} was run for the baseline, and was not run now"
        yield change_of("check-not-run", code, message, identity=identity)


def _replayed_families() -> list[str]:
    """Return the families of the project's own texts, which no baseline includes."""
    return [name for name, family in plugins.families().items() if family.replayed]


def _skips_of_replayed_families() -> Iterator[str]:
    """Yield skips of texts that resemble a crashing text, which has a finding of its own."""
    for name in _replayed_families():
        yield f"part of family {name}"
