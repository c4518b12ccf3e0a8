"""What the target is, can, and was asked, that it was not before, or is no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.baseline import skip_key
from tokharness.changes import Change, change_fingerprint
from tokharness.config import PROFILES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.baseline import Baseline, RunOptions
    from tokharness.engine.events import TargetStarted
    from tokharness.results.report import TargetReport
    from tokharness.targets.snapshot import Fingerprint

__all__ = ["target_changes"]

MOST_NAMED = 10
BYTES = "decode_single_token_bytes"


def target_changes(target: TargetReport, baseline: Baseline, run: RunOptions) -> Iterator[Change]:
    """Changes of the fingerprint, of capabilities, and of what was run."""
    yield from _fingerprint(target, baseline)
    then = baseline.fingerprint
    now = target.snapshot.fingerprint if target.snapshot else then
    had, has = _has(baseline.capabilities, then), _has(target.started.capabilities, now)
    for name in sorted(had - has):
        checks = [
            skip_key(one)
            for one in target.skips
            if one.reason.startswith(f"the target has no {name}")
        ]
        lost = f", so that it is not checked by {', '.join(checks)}" if checks else ""
        yield _change("lost-capability", name, f"the target has {name} no longer{lost}")
    for name in sorted(has - had):
        message = f"the target has {name}, which it had not"
        yield _change("new-capability", name, message, fails=False)
    yield from _narrower(run, baseline.run)
    yield from _not_run(target, baseline, had - has)


def _has(capabilities: Sequence[str], fingerprint: Fingerprint) -> set[str]:
    """Entry points, and ``n_vocab``, without which a vocabulary is not checked either."""
    return {*capabilities, *(() if fingerprint.n_vocab is None else ("n_vocab",))}


def _narrower(run: RunOptions, before: RunOptions) -> Iterator[Change]:
    """Less was tried than for the baseline."""
    profiles = list(PROFILES)
    if profiles.index(run.profile) < profiles.index(before.profile):
        message = f"the run is {run.profile}, and that of the baseline was {before.profile}"
        yield _change("check-not-run", f"more than the {run.profile} profile", message)
    needed = set(before.families) - set(_replayed())
    if run.families and not (before.families and needed <= set(run.families)):
        message = f"only these families were tried: {', '.join(run.families)}"
        yield _change("check-not-run", "other families", message)


def _not_run(target: TargetReport, baseline: Baseline, lost: set[str]) -> Iterator[Change]:
    """Skips that the baseline does not have, and checks that were run for it."""
    explained = tuple(f"the target has no {name}" for name in lost)
    known = {*baseline.skips, *_left_out_of_replayed()}
    for skip in target.skips:
        if skip_key(skip) in known or (explained and skip.reason.startswith(explained)):
            continue
        message = f"{skip.what} was not run: {skip.reason}"
        yield _change("new-skip", skip_key(skip), message)
    skipped = {skip.what.partition(" ")[0] for skip in target.skips}
    for code in sorted(set(baseline.checks) - set(target.started.checks) - skipped):
        message = f"{code} was run for the baseline, and was not run now"
        yield _change("check-not-run", code, message)


def _replayed() -> list[str]:
    """Families of the project's own texts, of which no baseline knows."""
    return [name for name, family in plugins.families().items() if family.replayed]


def _left_out_of_replayed() -> Iterator[str]:
    """Skips of them; a text that was not tried resembles one that is a finding of its own."""
    for name in _replayed():
        yield f"part of family {name}"


def _fingerprint(target: TargetReport, baseline: Baseline) -> Iterator[Change]:
    if target.snapshot is None:
        return
    old, new = baseline.fingerprint, target.snapshot.fingerprint
    special = _special(old.special_tokens, new.special_tokens)
    if old.vocabulary and new.vocabulary and old.vocabulary != new.vocabulary:
        if not special:  # whose texts are bytes of the vocabulary, too
            message = (
                f"ids have other bytes, are new, or are gone{_sizes(old.n_vocab, new.n_vocab)}"
            )
            yield _change("vocabulary", new.vocabulary, message)
    elif old.n_vocab is not None and new.n_vocab is not None and old.n_vocab != new.n_vocab:
        message = f"the vocabulary has another size{_sizes(old.n_vocab, new.n_vocab)}"
        yield _change("vocabulary", f"{new.n_vocab:,} ids", message)
    elif old.vocabulary and not new.vocabulary and _tells_bytes(target.started, new):
        yield _change("vocabulary", "no bytes", "no id has bytes any more")
    if special:
        change = _change("special-tokens", "other special tokens", special)
        yield change.named(f"{special} {new.vocabulary}")
    forms = [(one.normalizer, one.normalizer_version) for one in (old, new)]
    if old.normalizer != new.normalizer:
        forms = [(one.normalizer, None) for one in (old, new)]  # the version is of what is applied
    if forms[0] != forms[1]:
        then, now = (" at Unicode ".join(filter(None, one)) or "none" for one in forms)
        what = f"from {then} to {now}"
        yield _change("normalizer", what, f"the declared normalizer has changed {what}")
    if old.pattern != new.pattern and new.pattern and old.pattern:
        message = f"the pattern of the pre-tokenizer is now {new.pattern}"
        yield _change("pattern", "another pattern", message, fails=False)


def _tells_bytes(started: TargetStarted, fingerprint: Fingerprint) -> bool:
    return BYTES in started.capabilities and fingerprint.n_vocab is not None


def _sizes(old: int | None, new: int | None) -> str:
    return "" if old == new else f": {old} ids, now {new}"


def _special(old: Mapping[str, int], new: Mapping[str, int]) -> str:
    """Say how the special tokens differ, "" if they do not."""
    parts = [
        ("added", sorted(new.keys() - old.keys())),
        ("gone", sorted(old.keys() - new.keys())),
        ("with another id", sorted(key for key in old.keys() & new.keys() if old[key] != new[key])),
    ]
    told = [f"{what}: {_named(names)}" for what, names in parts if names]
    return f"special tokens have changed, {'; '.join(told)}" if told else ""


def _named(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _change(kind: str, what: str, message: str, *, fails: bool = True) -> Change:
    return Change(kind, what, message, change_fingerprint(kind, what, message), fails=fails)
