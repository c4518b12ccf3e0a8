"""Golden texts that have other ids: why, and which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.changes import Change, Example, change_fingerprint
from tokharness.targets.snapshot import ENTRY_POINTS, NOT_TRIED
from tokharness.unicode.properties import ranges
from tokharness.unicode.versions import VERSIONS, changed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tokharness.baseline import Baseline
    from tokharness.results.report import TargetReport
    from tokharness.targets.snapshot import Snapshot

__all__ = ["NO_CAUSE", "text_changes"]

NO_CAUSE = "no cause was found"

MOST_EXAMPLES = 20
MOST_RANGES = 400
"""Characters of a list of code points that a message takes."""


def text_changes(target: TargetReport, baseline: Baseline) -> Iterator[Change]:
    """Changes of golden ids: by Unicode version, by cause, and by special tokens."""
    snapshot = target.snapshot
    if snapshot is None:
        return
    before = {one.text: one.ids for one in baseline.golden}
    examples = [
        Example(one.text, before[one.text], one.ids)
        for one in snapshot.golden
        if one.text in before and before[one.text] != one.ids
    ]
    yield from _not_tried(examples)
    examples = [one for one in examples if one.after != NOT_TRIED]
    moved = _moved(baseline, snapshot)
    of_version = [one for one in examples if not moved.isdisjoint(one.text)]
    yield from _version_change(baseline, snapshot, of_version)
    rest = {one.text: one for one in examples if moved.isdisjoint(one.text)}
    yield from _by_cause(rest, snapshot, len(before))
    special = _Special(baseline, snapshot)
    yield from _by_special([one for one in rest.values() if special.concerns(one)], len(before))
    yield from _unexplained(
        [one for one in rest.values() if not special.concerns(one)], len(before)
    )
    yield from _by_entry_point(target, baseline, {one.text for one in examples})


def _not_tried(examples: Sequence[Example]) -> Iterator[Change]:
    some = [one for one in examples if one.after == NOT_TRIED]
    if some:
        message = f"{_texts(some)} resemble what ends the target's process, and were not tried"
        yield _change("new-skip", "golden texts", message, some)


def _by_cause(left: dict[str, Example], snapshot: Snapshot, golden: int) -> Iterator[Change]:
    """Take out of ``left`` what a cause explains; texts that raise are told by what they raise."""
    for why in snapshot.why:
        some = [left.pop(text) for text in why.texts if text in left]
        if some:
            change = _change("changed-ids", str(why.cause), _get_other_ids(some, golden), some)
            yield change.of_cause(why.cause)


def _by_special(examples: Sequence[Example], golden: int) -> Iterator[Change]:
    if examples:
        message = f"{_get_other_ids(examples, golden)}, and hold a special token, as text or as id"
        yield _change("special-handling", "special tokens in text", message, examples)


def _unexplained(examples: Sequence[Example], golden: int) -> Iterator[Change]:
    raising = [one for one in examples if isinstance(one.after, str)]
    for name in sorted({str(one.after) for one in raising}):
        some = [one for one in raising if one.after == name]
        message = f"{_texts(some)} of {golden:,} end with {name}, and did not"
        yield _change("changed-ids", f"{name} in the place of ids", message, some)
    some = [one for one in examples if not isinstance(one.after, str)]
    if some:
        yield _change("changed-ids", NO_CAUSE, _get_other_ids(some, golden), some)


def _by_entry_point(
    target: TargetReport, baseline: Baseline, told: Collection[str]
) -> Iterator[Change]:
    """Texts that another entry point gives other ids, though that for plain text does not."""
    snapshot = target.snapshot
    if snapshot is None:
        return
    plain = {one.text: one.ids for one in snapshot.golden}
    old, new = (
        {(one.group, one.text): one.ids for one in some}
        for some in (baseline.entries, snapshot.entries)
    )
    for name in ENTRY_POINTS:
        if name != "encode" and not {name} <= {*baseline.capabilities} & {
            *target.started.capabilities
        }:
            continue
        some = [
            Example(text, old.get((name, text), ids), new.get((name, text), ids))
            for text, ids in plain.items()
            if text not in told and old.get((name, text), ids) != new.get((name, text), ids)
        ]
        if some:
            message = f"{_texts(some)} get other ids from {name}, which may give special ids"
            yield _change("special-handling", f"{name} of special tokens", message, some)


def _get_other_ids(examples: Sequence[Example], golden: int) -> str:
    return f"{_texts(examples)} of {golden:,} get other ids"


def _texts(examples: Sequence[Example]) -> str:
    return "1 golden text" if len(examples) == 1 else f"{len(examples):,} golden texts"


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
    if old not in VERSIONS or new not in VERSIONS:
        return  # it cannot be told, and the ids of the golden texts that would show it are compared
    what = f"from {old} to {new}"
    points = changed(old, new)
    named = ranges(points)
    if len(named) > MOST_RANGES:
        named = f"{named[:MOST_RANGES].rpartition(',')[0]} and more"
    message = (
        f"characters are classified as in Unicode {new}, and were as in {old}: "
        f"{len(points):,} code points are moved: {named}"
    )
    if examples:
        message += f"; {_texts(examples)} with them get other ids"
    change = _change("unicode-version", what, message, examples)
    yield change.named(f"{what} {change.fingerprint}")  # other ids of these texts are another


class _Special:
    """Whether a changed text is one of special tokens."""

    def __init__(self, baseline: Baseline, snapshot: Snapshot) -> None:
        both = (baseline.fingerprint.special_tokens, snapshot.fingerprint.special_tokens)
        self._texts = [text for one in both for text in one if text]
        self._ids = {number for one in both for number in one.values()}

    def concerns(self, example: Example) -> bool:
        """Whether it holds a special token as text, or one of its ids is only in one of both."""
        if isinstance(example.after, str):
            return False
        if any(text in example.text for text in self._texts):
            return True
        before, after = (
            self._ids.intersection(ids) if not isinstance(ids, str) else set()
            for ids in (example.before, example.after)
        )
        return before != after
