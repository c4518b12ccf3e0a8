"""The result of a gate, for a terminal."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from tokharness.changes import CHANGED_FILE
from tokharness.escaping import Shown, line_verbatim, sentence, shorten, terminal
from tokharness.formats._renderings import rendering_lines
from tokharness.formats._wording import pluralize, text_label
from tokharness.gate.texts import BY_DIGEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.changes import Change, Example, GateResult
    from tokharness.targets.snapshot import Ids

MAX_TEXT, MAX_IDS, MAX_EXAMPLES = 60, 8, 5


def headline(gate: GateResult) -> Shown:
    """Return what is compared with what."""
    golden_texts = pluralize(gate.golden_texts, "golden text")
    return Shown("{} against {}: {}").format(gate.name, gate.against, golden_texts)


def change_lines(change: Change) -> Iterator[Shown]:
    """Yield the lines of a change: what it is, why, and its golden texts before and after."""
    yield Shown("{}: {}").format(change.kind, sentence(change.what))
    yield from (sentence(part.message) for part in (change, *change.related) if part.message)
    if change.finding is not None and change.finding.text is not None:
        text = shorten(change.finding.text, MAX_TEXT)
        yield Shown('{} "{}"').format(text_label(change.finding), text)
    if change.renderings is not None:
        yield from rendering_lines(change.renderings)
    for example in change.examples[:MAX_EXAMPLES]:
        text = shorten(example.text, MAX_TEXT)
        line = Shown("'{}' {} -> {}") if '"' in example.text else Shown('"{}" {} -> {}')
        yield line.format(text, *shown_ids(example))
    if more := more_texts(change, MAX_EXAMPLES):
        yield more


def commands(change: Change) -> list[Shown]:
    """Return the commands to run next; without any, the command that reproduces the finding."""
    reproduce = change.finding.reproduce if change.finding else ""
    return [line_verbatim(command) for command in change.next or filter(None, [reproduce])]


def more_texts(change: Change, shown: int) -> Shown:
    """Return how many texts changed besides the first examples; "" without examples.

    They are golden texts, unless texts that only a digest shows are part of the change.

    The message of an edit of the file counts changed texts itself, with the texts of other groups.
    """
    if change.kind == CHANGED_FILE:
        return Shown("")
    more = change.changed_texts - len(change.examples[:shown])
    are_golden = all(one.what != BY_DIGEST for one in (change, *change.related))
    texts = pluralize(more, "more golden text" if are_golden else "more text")
    return Shown("and {}").format(texts) if change.examples and more > 0 else Shown("")


def shown_ids(example: Example, most: int = MAX_IDS) -> tuple[Shown, Shown]:
    """Return at most ``most`` ids before and after, from the id before the first different id."""
    same = 0
    if not isinstance(example.before, str) and not isinstance(example.after, str):
        pairs = zip(example.before, example.after, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    start = max(same - 1, 0)
    return _ids(example.before, start, most), _ids(example.after, start, most)


def _ids(ids: Ids, start: int, most: int) -> Shown:
    if isinstance(ids, str):
        return terminal(ids)
    end = start + most
    before, after = "... " if start else "", " ..." if len(ids) > end else ""
    return Shown("[{}{}{}]").format(before, " ".join(map(str, ids[start:end])), after)


def verdict(gate: GateResult) -> tuple[Shown, Shown]:
    """Return "passed" or "failed", and the counts of changes."""
    failing = len(gate.failing)
    notes = pluralize(len(gate.changes) - failing, "note")
    changes = pluralize(failing, "failing change")
    counts = Shown("{}, {}, {} accepted").format(changes, notes, gate.accepted)
    if gate.newly_accepted and not failing:
        now = pluralize(gate.newly_accepted, "change")
        return Shown("accepted"), Shown("{} accepted now, {} before").format(now, gate.accepted)
    return (Shown("failed") if failing else Shown("passed")), counts
