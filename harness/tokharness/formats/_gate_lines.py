"""The result of a gate, for a terminal."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from tokharness.escaping import Shown, shorten, terminal
from tokharness.formats._wording import pluralize, text_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.changes import Change, Example, GateResult
    from tokharness.targets.snapshot import Ids

__all__ = ["change_lines", "headline", "verdict"]

MAX_TEXT, MAX_IDS, MAX_EXAMPLES = 60, 8, 5


def headline(gate: GateResult) -> Shown:
    """Return what is compared with what."""
    golden_texts = pluralize(gate.golden_texts, "golden text")
    return Shown("{} against {}: {}").format(gate.name, gate.against, golden_texts)


def change_lines(change: Change) -> Iterator[Shown]:
    """Yield the lines of a change: what it is, why, and its golden texts before and after."""
    yield Shown("{}: {}").format(change.kind, change.what)
    yield from (terminal(part.message) for part in (change, *change.related) if part.message)
    if change.finding is not None and change.finding.text is not None:
        text = shorten(change.finding.text, MAX_TEXT)
        yield Shown('{} "{}"').format(text_label(change.finding), text)
    for example in change.examples[:MAX_EXAMPLES]:
        yield _example(example)
    more = change.changed_texts - len(change.examples[:MAX_EXAMPLES])
    if change.examples and more > 0:
        yield Shown("and {}").format(pluralize(more, "more golden text"))


def _example(example: Example) -> Shown:
    """Return a text with its ids, from one before the first that differs."""
    text = shorten(example.text, MAX_TEXT)
    same = 0
    if not isinstance(example.before, str) and not isinstance(example.after, str):
        pairs = zip(example.before, example.after, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    start = max(same - 1, 0)
    ids = _ids(example.before, start), _ids(example.after, start)
    return Shown('"{}" {} -> {}').format(text, *ids)


def _ids(ids: Ids, start: int) -> Shown:
    if isinstance(ids, str):
        return terminal(ids)
    end = start + MAX_IDS
    before, after = "... " if start else "", " ..." if len(ids) > end else ""
    return Shown("[{}{}{}]").format(before, " ".join(map(str, ids[start:end])), after)


def verdict(gate: GateResult) -> tuple[Shown, Shown]:
    """Return "passed" or "failed", and the counts of changes."""
    failing = len(gate.failing)
    notes = pluralize(len(gate.changes) - failing, "note")
    changes = pluralize(failing, "failing change")
    counts = Shown("{}, {}, {} accepted").format(changes, notes, gate.accepted)
    return (Shown("failed") if failing else Shown("passed")), counts
