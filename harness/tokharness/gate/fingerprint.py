"""Changes of a gate: vocabulary, special tokens, normalizer and pattern of the target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.changes import Change, change_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.baseline import Baseline
    from tokharness.engine.events import TargetStarted
    from tokharness.results.report import TargetReport
    from tokharness.targets.snapshot import Fingerprint

__all__ = ["fingerprint_changes"]

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
            identity = f"ids have other bytes, are new, or are gone{sizes}"
            yield change_of("vocabulary", new.vocabulary, message, identity=identity)
    elif old.n_vocab is not None and new.n_vocab is not None and old.n_vocab != new.n_vocab:
        sizes = _sizes(old.n_vocab, new.n_vocab)
        message = f"the size of the vocabulary has changed{sizes}"
        identity = f"the vocabulary has another size{sizes}"
        yield change_of("vocabulary", f"{new.n_vocab:,} ids", message, identity=identity)
    elif old.vocabulary and not new.vocabulary and _has_token_bytes(target.started, new):
        message, identity = "no id has bytes any longer", "no id has bytes any more"
        yield change_of("vocabulary", "no bytes", message, identity=identity)
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
        # Of equal rules an unknown version is no other one: tokens hide what they do.
        forms = [(new.normalizer, version) for version in known] if len(known) > 1 else []
    elif old.normalizer != new.normalizer:  # the version is that of the form that is applied
        forms = [(one.normalizer, None) for one in (old, new)]
    if len(set(forms)) > 1:
        before, now = (" at Unicode ".join(filter(None, form)) or "none" for form in forms)
        what = f"from {before} to {now}"
        yield change_of("normalizer", what, f"the declared normalizer has changed {what}")
    cases = (old.case_version, new.case_version)
    if None not in cases and cases[0] != cases[1]:
        what = "case mapping from Unicode {} to {}".format(*cases)
        yield change_of("normalizer", what, f"the Unicode version has changed: {what}")


def _has_token_bytes(started: TargetStarted, fingerprint: Fingerprint) -> bool:
    return "decode_single_token_bytes" in started.capabilities and fingerprint.n_vocab is not None


def _sizes(old: int | None, new: int | None) -> str:
    return "" if old == new else f": {old} ids, now {new}"


def _special(old: Mapping[str, int], new: Mapping[str, int]) -> str:
    """Describe how the special tokens differ, "" if they do not; part of a fingerprint."""
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
