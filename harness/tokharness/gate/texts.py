"""Golden texts that have other ids: why, and which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.changes import Change, Example, change_fingerprint
from tokharness.unicode.properties import ranges
from tokharness.unicode.versions import VERSIONS, changed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.baseline import Baseline
    from tokharness.report import TargetReport
    from tokharness.snapshot import Snapshot

__all__ = ["text_changes"]

MOST_EXAMPLES = 20
MOST_RANGES = 400
"""Characters of a list of code points that a message takes."""


def text_changes(target: TargetReport, baseline: Baseline) -> Iterator[Change]:
    """Changes of golden ids: by Unicode version, by special tokens, and by cause."""
    snapshot = target.snapshot
    if snapshot is None:
        return
    before = {one.text: one.ids for one in baseline.golden}
    examples = [
        Example(one.text, before[one.text], one.ids)
        for one in snapshot.golden
        if one.text in before and before[one.text] != one.ids
    ]
    moved = _moved(baseline, snapshot)
    of_version = [one for one in examples if not moved.isdisjoint(one.text)]
    yield from _version_change(baseline, snapshot, of_version)
    rest = [one for one in examples if moved.isdisjoint(one.text)]
    special = _Special(baseline, snapshot)
    of_special = [one for one in rest if special.concerns(one)]
    if of_special:
        message = (
            f"{len(of_special):,} of {len(before):,} golden texts get other ids, all of which "
            "hold a special token, as text or as an id"
        )
        yield _change("special-handling", "special tokens in text", message, of_special)
    rest = [one for one in rest if not special.concerns(one)]
    yield from _by_cause(rest, snapshot, len(before))


def _by_cause(examples: list[Example], snapshot: Snapshot, golden: int) -> Iterator[Change]:
    left = {one.text: one for one in examples}
    for why in snapshot.why:
        some = [left.pop(text) for text in why.texts if text in left]
        if some:
            message = f"{len(some):,} of {golden:,} golden texts get other ids"
            change = _change("changed-ids", str(why.cause), message, some)
            yield change.of_cause(why.cause)
    raising = [one for one in left.values() if isinstance(one.after, str)]
    for name in sorted({str(one.after) for one in raising}):
        some = [one for one in raising if one.after == name]
        message = f"{len(some):,} of {golden:,} golden texts end with {name}, and did not"
        yield _change("changed-ids", f"{name} in the place of ids", message, some)
    some = [one for one in left.values() if not isinstance(one.after, str)]
    if some:
        message = f"{len(some):,} of {golden:,} golden texts get other ids"
        yield _change("changed-ids", "no cause was found", message, some)


def _change(kind: str, what: str, message: str, examples: Sequence[Example]) -> Change:
    """Make a change of all these texts: another set of them, or of ids, is another change."""
    ordered = sorted(examples, key=lambda one: (len(one.text), one.text))
    return Change(
        kind,
        what,
        message,
        change_fingerprint(kind, *((one.text, one.after) for one in ordered)),
        examples=tuple(ordered[:MOST_EXAMPLES]),
        count=len(ordered),
    )


def _moved(baseline: Baseline, snapshot: Snapshot) -> frozenset[str]:
    """Characters that are classified otherwise in the version of now than in that of then."""
    old, new = baseline.fingerprint.unicode_version, snapshot.fingerprint.unicode_version
    if old == new or old not in VERSIONS or new not in VERSIONS:
        return frozenset()
    return frozenset(map(chr, changed(old, new)))


def _version_change(
    baseline: Baseline, snapshot: Snapshot, examples: Sequence[Example]
) -> Iterator[Change]:
    old, new = baseline.fingerprint.unicode_version, snapshot.fingerprint.unicode_version
    if old == new:
        return
    what = f"from {old or 'unknown'} to {new or 'unknown'}"
    if old not in VERSIONS or new not in VERSIONS:
        message = f"the Unicode version that characters are classified by has changed {what}"
    else:
        points = changed(old, new)
        named = ranges(points)
        if len(named) > MOST_RANGES:
            named = f"{named[:MOST_RANGES].rpartition(',')[0]} and more"
        message = (
            f"characters are classified as in Unicode {new}, and were as in {old}: "
            f"{len(points):,} code points are moved: {named}"
        )
        if examples:
            message += f"; {len(examples):,} golden texts with them get other ids"
    change = _change("unicode-version", what, message, examples)
    yield change.named(what)


class _Special:
    """Whether a changed text is one of special tokens."""

    def __init__(self, baseline: Baseline, snapshot: Snapshot) -> None:
        both = (baseline.fingerprint.special_tokens, snapshot.fingerprint.special_tokens)
        self._texts = [text for one in both for text in one if text]
        self._ids = {number for one in both for number in one.values()}

    def concerns(self, example: Example) -> bool:
        """Whether it holds a special token as text, or one of its ids is only in one of both."""
        if any(text in example.text for text in self._texts):
            return True
        before, after = (
            self._ids.intersection(ids) if not isinstance(ids, str) else set()
            for ids in (example.before, example.after)
        )
        return before != after
