"""Changes of a gate: the fingerprint and entry points of the target, and the skipped work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.baseline import skip_key
from tokharness.changes import Change, change_of
from tokharness.config import PROFILES, RUN_LIMIT
from tokharness.engine.run.selection import LACKS
from tokharness.unicode.normalization import FORMS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.baseline import Baseline, RunOptions
    from tokharness.engine.events import TargetStarted
    from tokharness.results.report import TargetReport
    from tokharness.targets.snapshot import Fingerprint

# Changes of a gate: vocabulary, special tokens, normalizer and pattern of the target.

MAX_NAMED = 10


def fingerprint_changes(target: TargetReport, baseline: Baseline) -> Iterator[Change]:
    """Yield changes of the vocabulary, special tokens, normalizer and pattern."""
    if target.snapshot is None:
        return
    old, new = baseline.fingerprint, target.snapshot.fingerprint
    special = _special(old.special_tokens, new.special_tokens)
    if old.vocabulary and new.vocabulary and old.vocabulary != new.vocabulary:
        if not special:  # their texts are bytes of the vocabulary, too
            sizes = _sizes(old.n_vocab, new.n_vocab)
            message = f"ids stand for different bytes, or were added or removed{sizes}"
            yield change_of("vocabulary", new.vocabulary, message)
    elif old.n_vocab is not None and new.n_vocab is not None and old.n_vocab != new.n_vocab:
        sizes = _sizes(old.n_vocab, new.n_vocab)
        message = f"the size of the vocabulary has changed{sizes}"
        yield change_of("vocabulary", f"{new.n_vocab:,} ids", message)
    elif old.vocabulary and not new.vocabulary and _has_token_bytes(target.started, new):
        message = "no id has bytes any longer"
        yield change_of("vocabulary", "no bytes", message)
    if special:
        change = change_of("special-tokens", "changed special tokens", special)
        yield change.with_fingerprint_of(f"{special} {new.vocabulary}")
    yield from _normalizer_changes(old, new, equal_files=_has_equal_normalizer(target, baseline))
    if old.pattern != new.pattern and new.pattern and old.pattern:
        message = f"the pattern of the pre-tokenizer is now {new.pattern}"
        yield change_of("pattern", "another pattern", message, fails=False)


def _has_equal_normalizer(target: TargetReport, baseline: Baseline) -> bool:
    """Return whether the file shows that only the name of the normalizer can have changed."""
    file = target.snapshot.file if target.snapshot else None
    if file is None or baseline.file is None or file.format != baseline.file.format:
        return False
    old, new = (one.stages.get("normalizer") for one in (baseline.file, file))
    return old is not None and old == new


def _normalizer_changes(
    old: Fingerprint, new: Fingerprint, *, equal_files: bool
) -> Iterator[Change]:
    forms = [(one.normalizer, one.normalizer_version) for one in (old, new)]
    if equal_files:
        known = [version for _, version in forms if version is not None]
        # With equal rules, an unknown version is no change: tokens hide the effect of the rules.
        forms = [(new.normalizer, version) for version in known] if len(known) > 1 else []
    elif old.normalizer != new.normalizer:  # the version belongs to the applied form
        forms = [(one.normalizer, None) for one in (old, new)]
    if len(set(forms)) > 1:
        before, now = (_form(*form) for form in forms)
        what = f"from {before} to {now}"
        yield change_of("normalizer", what, f"the declared normalizer has changed {what}")
    cases = (old.case_version, new.case_version)
    if None not in cases and cases[0] != cases[1]:
        what = "case mapping from Unicode {} to {}".format(*cases)
        yield change_of("normalizer", what, f"the Unicode version has changed: {what}")


def _form(name: str | None, version: str | None) -> str:
    """Return a declared normalizer in words: a normal form, or the rules of a file."""
    if name is not None and name.upper() not in FORMS:
        name = f"the rules of {name}"
    return " at Unicode ".join(filter(None, (name, version))) or "none"


def _has_token_bytes(started: TargetStarted, fingerprint: Fingerprint) -> bool:
    return "decode_single_token_bytes" in started.capabilities and fingerprint.n_vocab is not None


def _sizes(old: int | None, new: int | None) -> str:
    return "" if old == new else f": {old} ids, now {new}"


def _special(old: Mapping[str, int], new: Mapping[str, int]) -> str:
    """Describe how the special tokens differ; "" if they are equal; part of a fingerprint."""
    moved = sorted(key for key in old.keys() & new.keys() if old[key] != new[key])
    parts = [
        ("added", [f"{key} as {new[key]}" for key in sorted(new.keys() - old.keys())]),
        ("gone", [f"{key} ({old[key]})" for key in sorted(old.keys() - new.keys())]),
        ("with another id", [f"{key} ({new[key]}, was {old[key]})" for key in moved]),
    ]
    changes = [f"{label}: {_listed(names)}" for label, names in parts if names]
    return f"special tokens have changed, {'; '.join(changes)}" if changes else ""


def _listed(names: list[str]) -> str:
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def target_changes(target: TargetReport, baseline: Baseline, run: RunOptions) -> Iterator[Change]:
    """Yield changes of the fingerprint, of the entry points, and of the work of the run."""
    yield from fingerprint_changes(target, baseline)
    old = baseline.fingerprint
    new = target.snapshot.fingerprint if target.snapshot else old
    before = _entry_points(baseline.capabilities, old)
    now = _entry_points(target.started.capabilities, new)
    lost = sorted(before - now)
    if target.snapshot is None and lost:
        message = f"the target no longer has {_listed(lost)}"
        yield change_of("lost-entry-point", "of a target that gives no ids", message)
        lost = []
    for name in lost:
        yield _lost_entry_point(name, target)
    for name in sorted(now - before):
        message = f"the target now has {name}"
        yield change_of("new-entry-point", name, message, fails=False)
    yield from _narrower_run(run, baseline.run)
    yield from _not_run(target, baseline, before - now)


def _lost_entry_point(name: str, target: TargetReport) -> Change:
    checks = [skip_key(skip) for skip in target.skips if skip.reason.startswith(LACKS + name)]
    message = f"the target no longer has {name}"
    if checks:
        message += f", so it is not checked by {', '.join(checks)}"
    return change_of("lost-entry-point", name, message)


def _entry_points(methods: Sequence[str], fingerprint: Fingerprint) -> set[str]:
    """Return optional methods and ``n_vocab``, which checks of the vocabulary require too."""
    return {*methods, *(() if fingerprint.n_vocab is None else ("n_vocab",))}


def _narrower_run(run: RunOptions, before: RunOptions) -> Iterator[Change]:
    """Yield changes for a quicker profile or fewer families than the baseline has."""
    profiles = list(PROFILES)
    if profiles.index(run.profile) < profiles.index(before.profile):
        message = f"the profile is {run.profile}, and the baseline has {before.profile}"
        what = f"more than the {run.profile} profile"
        yield change_of("check-not-run", what, message)
    required = set(before.families) - set(_replayed_families())
    if run.families and not (before.families and required <= set(run.families)):
        families = ", ".join(run.families)
        message = f"only these families were run: {families}"
        yield change_of("check-not-run", "other families", message)


def _not_run(target: TargetReport, baseline: Baseline, lost: set[str]) -> Iterator[Change]:
    """Yield skips that the baseline does not have, and checks that only the baseline ran."""
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
        yield change_of("check-not-run", code, message)


def _replayed_families() -> list[str]:
    """Return the families of the project's own texts, which no baseline includes."""
    return [name for name, family in plugins.families().items() if family.replayed]


def _skips_of_replayed_families() -> Iterator[str]:
    """Yield skips of replayed texts that resemble a crashing text, which has its own finding."""
    for name in _replayed_families():
        yield f"part of family {name}"
