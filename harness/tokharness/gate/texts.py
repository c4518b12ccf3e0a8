"""Changes of a gate: golden texts whose ids changed, by the explanation."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokharness.changes import Change, Example, change_fingerprint
from tokharness.gate.file_changes import example_of
from tokharness.targets.snapshot import ENTRY_POINTS, GOLDEN, NO_CAUSE, NOT_TRIED, WITH_SPECIAL
from tokharness.unicode.properties import ranges
from tokharness.unicode.versions import VERSIONS, changed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tokharness.baseline import Baseline
    from tokharness.results.report import TargetReport
    from tokharness.targets.snapshot import Snapshot

BY_DIGEST = "other texts"
"""``what`` of changed ids whose digest is all that the baseline keeps."""

MAX_EXAMPLES = 20
MAX_RANGES_LENGTH = 400
"""Maximum length of the list of code points in a message, in characters."""


def text_changes(target: TargetReport, baseline: Baseline) -> Iterator[Change]:
    """Yield changes of golden ids: by Unicode version, by cause and by special tokens."""
    snapshot = target.snapshot
    if snapshot is None:
        return
    yield from _bodies(snapshot, baseline)
    explained = {text for edit in snapshot.edits for text in edit.texts}
    before = {golden.text: golden.ids for golden in baseline.golden if golden.text not in explained}
    by_ids = _known_by_ids(snapshot)
    groups = {text: group for text, (group, _) in by_ids.items()}
    golden_texts = _Groups(groups, {**snapshot.sizes, GOLDEN: len(baseline.golden)})
    examples = [
        Example(golden.text, before[golden.text], golden.ids)
        for golden in snapshot.golden
        if golden.text in before and before[golden.text] != golden.ids
    ]
    examples += [example for _, example in by_ids.values()]
    yield from _not_run(examples)
    examples = [example for example in examples if example.after != NOT_TRIED]
    reclassified = _reclassified(baseline, snapshot)
    of_version = [one for one in examples if not reclassified.isdisjoint(one.text)]
    yield from _version_change(baseline, snapshot, of_version)
    rest = {one.text: one for one in examples if reclassified.isdisjoint(one.text)}
    yield from _by_cause(rest, snapshot, golden_texts)
    special = _SpecialTokens(baseline, snapshot)
    of_special = [example for example in rest.values() if special.concern(example)]
    yield from _by_special(of_special, golden_texts)
    unexplained = [example for example in rest.values() if not special.concern(example)]
    yield from _unexplained(unexplained, snapshot, golden_texts)
    reported = {example.text for example in examples} | explained
    yield from _by_entry_point(target, baseline, reported)


def _bodies(snapshot: Snapshot, baseline: Baseline) -> Iterator[Change]:
    """Yield bodies and families with changed ids that no edit explains, and what is not compared.

    The baseline only has a digest of their ids.
    """
    explained = {text for edit in snapshot.edits for text in edit.texts}
    groups = {group for edit in snapshot.edits for group in edit.counts}
    by_ids = _known_by_ids(snapshot)
    reported = Counter(group for group, _ in by_ids.values())
    known = explained | by_ids.keys()
    left = [one for one in snapshot.changed if one.text not in known]
    counted = Counter(one.group for one in left)
    numbers = {
        name: counted[name] if name in groups else count - reported[name]
        for name, count in snapshot.changed_counts.items()
    }
    counts = {name: count for name, count in numbers.items() if count > 0}
    if counts:
        texts = ", ".join(
            f"{count:,} of {snapshot.sizes[name]:,} {name}"
            if name in snapshot.sizes
            else f"{count:,} {name}"
            for name, count in counts.items()
        )
        have = "has" if sum(counts.values()) == 1 else "have"
        message = f"{texts} {have} different ids; the baseline keeps only a digest of the old ones"
        examples = [example_of(one) for one in left if one.group in counts]
        change = _change("changed-ids", BY_DIGEST, message, examples)
        yield replace(change, count=sum(counts.values()))
    for name, count in snapshot.not_compared.items():
        message = (
            f"{count:,} of {snapshot.sizes.get(name, count):,} {name} are other texts than in the "
            "baseline, so their ids were not compared: write the baseline again"
        )
        yield _change("new-skip", name, message, ())
    for name in sorted(baseline.bodies.keys() - snapshot.bodies.keys()):
        yield _change("new-skip", name, f"{name} were not encoded", ())


def _known_by_ids(snapshot: Snapshot) -> dict[str, tuple[str, Example]]:
    """Return the texts of bodies that are explained by their ids, with their groups.

    Their earlier ids are known although the baseline only has a digest.
    """
    texts = {text for explanation in snapshot.explanations for text in explanation.texts}
    golden = {one.text for one in snapshot.golden}
    return {
        one.text: (one.group, example_of(one))
        for one in snapshot.changed
        if one.before is not None and one.text in texts - golden
    }


def _not_run(examples: Sequence[Example]) -> Iterator[Change]:
    skipped = [example for example in examples if example.after == NOT_TRIED]
    if skipped:
        crash = f"{_verb(skipped, 'resembles', 'resemble')} a text that crashes the target"
        message = f"{_texts(skipped)} {crash}, and {_verb(skipped, 'was', 'were')} not run"
        yield _change("new-skip", "golden texts", message, skipped)


def _by_cause(rest: dict[str, Example], snapshot: Snapshot, golden: _Groups) -> Iterator[Change]:
    """Yield a change for each cause, and remove the texts that it explains from ``rest``."""
    for explanation in snapshot.explanations:
        if explanation.cause.kind == NO_CAUSE:
            continue
        examples = [rest.pop(text) for text in explanation.texts if text in rest]
        if examples:
            message = _changed_ids(examples, golden)
            cause = explanation.cause
            if cause.message:
                message = f"{message}: {cause.message}"
            yield _change("changed-ids", str(cause), message, examples, golden).with_cause(cause)


def _by_special(examples: Sequence[Example], golden: _Groups) -> Iterator[Change]:
    if examples:
        holds = _verb(examples, "holds", "hold")
        message = f"{_changed_ids(examples, golden)}, and {holds} a special token, as text or as id"
        yield _change("special-handling", "special tokens in text", message, examples, golden)


def _unexplained(
    examples: Sequence[Example], snapshot: Snapshot, golden: _Groups
) -> Iterator[Change]:
    """Yield unexplained texts: by the name of an exception, or by the place where ids differ."""
    raising = [example for example in examples if isinstance(example.after, str)]
    for name in sorted({str(example.after) for example in raising}):
        failing = [example for example in raising if example.after == name]
        message = f"{_texts(failing, golden)} now {_verb(failing, 'ends', 'end')} with {name}"
        yield _change("changed-ids", f"{name} instead of ids", message, failing, golden)
    places = {
        text: f"{NO_CAUSE}: {explanation.cause.message}"
        for explanation in snapshot.explanations
        if explanation.cause.kind == NO_CAUSE
        for text in explanation.texts
    }
    groups: dict[str, list[Example]] = {}
    for example in examples:
        if not isinstance(example.after, str):
            groups.setdefault(places.get(example.text, NO_CAUSE), []).append(example)
    for what, group in groups.items():
        yield _change("changed-ids", what, _changed_ids(group, golden), group, golden)


def _by_entry_point(
    target: TargetReport, baseline: Baseline, reported: Collection[str]
) -> Iterator[Change]:
    """Yield texts whose ids changed at some entry point, but not at the one for plain text."""
    snapshot = target.snapshot
    if snapshot is None:
        return
    plain = {golden.text: golden.ids for golden in snapshot.golden}
    old, new = (
        {(golden.group, golden.text): golden.ids for golden in entries}
        for entries in (baseline.entries, snapshot.entries)
    )
    shared = {"encode", *baseline.capabilities} & {"encode", *target.started.capabilities}
    tried = sum(golden.group in WITH_SPECIAL for golden in snapshot.golden)
    for name in ENTRY_POINTS:
        if name not in shared:
            continue
        examples = [
            Example(text, old.get((name, text), ids), new.get((name, text), ids))
            for text, ids in plain.items()
            if text not in reported and old.get((name, text), ids) != new.get((name, text), ids)
        ]
        if examples:
            message = (
                f"{len(examples):,} of {tried:,} everyday texts and texts with special tokens "
                f"{_verb(examples, 'has', 'have')} different ids from {name}, which may give "
                "special ids; no other golden text was tried"
            )
            yield _change("special-handling", f"{name} of special tokens", message, examples)


def _changed_ids(examples: Sequence[Example], golden: _Groups | None = None) -> str:
    return f"{_texts(examples, golden)} {_verb(examples, 'has', 'have')} different ids"


@dataclass(frozen=True, slots=True)
class _Groups:
    """The group of each text that is not a golden text, and the number of texts of each group."""

    of_text: Mapping[str, str]
    sizes: Mapping[str, int]

    def golden(self, examples: Sequence[Example]) -> int:
        """Return the number of golden texts among examples."""
        return sum(example.text not in self.of_text for example in examples)

    def count(self, examples: Sequence[Example]) -> str:
        """Count texts by group: "3 of 900 golden texts, 2 of 30,264 tokens' own texts"."""
        counts = Counter(self.of_text.get(example.text, GOLDEN) for example in examples)
        names = {name: name for name in counts}
        if self.sizes.get(GOLDEN) == 1:
            names[GOLDEN] = GOLDEN.removesuffix("s")
        counted = sorted(counts.items(), key=lambda item: item[0] != GOLDEN)
        return ", ".join(
            f"{count:,} of {self.sizes[name]:,} {names[name]}" for name, count in counted
        )


def _verb(examples: Sequence[Example], singular: str, plural: str) -> str:
    return singular if len(examples) == 1 else plural


def _texts(examples: Sequence[Example], golden: _Groups | None = None) -> str:
    """Count texts, of all golden texts if given: "1 golden text", "3 of 900 golden texts"."""
    if golden is not None:
        return golden.count(examples)
    return f"{len(examples):,} golden text{'' if len(examples) == 1 else 's'}"


def _change(
    kind: str,
    what: str,
    message: str,
    examples: Sequence[Example],
    golden: _Groups | None = None,
) -> Change:
    """Make a change of these texts; its fingerprint depends on the texts and their new ids."""
    ordered = sorted(examples, key=lambda example: (len(example.text), example.text))
    return Change(
        kind,
        what,
        message,
        change_fingerprint(kind, *((example.text, example.after) for example in ordered)),
        examples=tuple(ordered[:MAX_EXAMPLES]),
        count=len(ordered) if golden is None else golden.golden(ordered),
    )


def _reclassified(baseline: Baseline, snapshot: Snapshot) -> frozenset[str]:
    """Return the characters that the two Unicode versions classify differently."""
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
        return  # an unknown version; the affected golden texts are reported as changed ids
    what = f"from {old} to {new}"
    points = changed(old, new)
    named = ranges(points)
    if len(named) > MAX_RANGES_LENGTH:
        named = f"{named[:MAX_RANGES_LENGTH].rpartition(',')[0]} and more"
    message = (
        f"characters are classified by Unicode {new} instead of {old}: "
        f"{len(points):,} code points are reclassified: {named}"
    )
    if examples:
        have = _verb(examples, "has", "have")
        message += f"; {_texts(examples)} with them {have} different ids"
    change = _change("unicode-version", what, message, examples)
    yield change.with_fingerprint_of(f"{what} {change.fingerprint}")  # of the texts' ids too


class _SpecialTokens:
    """The special tokens of the baseline and of the target."""

    def __init__(self, baseline: Baseline, snapshot: Snapshot) -> None:
        both = (baseline.fingerprint.special_tokens, snapshot.fingerprint.special_tokens)
        self._texts = [text for tokens in both for text in tokens if text]
        self._ids = {number for tokens in both for number in tokens.values()}

    def concern(self, example: Example) -> bool:
        """Whether the text holds a special token, or its special ids differ."""
        if isinstance(example.after, str):
            return False
        if any(text in example.text for text in self._texts):
            return True
        before, after = (
            self._ids.intersection(ids) if not isinstance(ids, str) else set()
            for ids in (example.before, example.after)
        )
        return before != after
