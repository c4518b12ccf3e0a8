"""What a gate says, for a terminal: what changed and why, the strings first."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from tokharness.escaping import shortened, terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.changes import Change, Example, Judgement
    from tokharness.targets.snapshot import Ids

__all__ = ["change_lines", "head", "verdict"]

LONGEST_TEXT, MOST_IDS, MOST_EXAMPLES = 60, 8, 5


def head(judgement: Judgement) -> str:
    """Say what is compared with what."""
    against = terminal(judgement.against)
    return f"{terminal(judgement.name)} against {against}: {judgement.golden:,} golden texts"


def change_lines(change: Change) -> Iterator[str]:
    """Lines of a change: what it is, why, and the texts that show it, before and after."""
    yield f"{change.kind}: {terminal(change.what)}"
    yield from (terminal(one.message) for one in (change, *change.with_it) if one.message)
    if change.finding is not None and change.finding.text is not None:
        yield f'smallest text "{shortened(change.finding.text, LONGEST_TEXT)}"'
    for example in change.examples[:MOST_EXAMPLES]:
        yield _example(example)
    more = change.changed - len(change.examples[:MOST_EXAMPLES])
    if change.examples and more > 0:
        yield f"and {more:,} more golden text{'' if more == 1 else 's'}"


def _example(example: Example) -> str:
    """Show a text, and its ids from shortly before the first that differs."""
    text = shortened(example.text, LONGEST_TEXT)
    same = 0
    if not isinstance(example.before, str) and not isinstance(example.after, str):
        pairs = zip(example.before, example.after, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    start = max(same - 1, 0)
    return f'"{text}" {_ids(example.before, start)} -> {_ids(example.after, start)}'


def _ids(ids: Ids, start: int) -> str:
    if isinstance(ids, str):
        return terminal(ids)
    end = start + MOST_IDS
    before, after = "... " if start else "", " ..." if len(ids) > end else ""
    return f"[{before}{' '.join(map(str, ids[start:end]))}{after}]"


def verdict(judgement: Judgement) -> tuple[str, str]:
    """Say whether the gate is passed, and count."""
    failing = len(judgement.failing)
    others = len(judgement.changes) - failing
    changes = "1 change fails" if failing == 1 else f"{failing} changes fail"
    counts = f"{changes}, {others} told, {judgement.accepted} accepted"
    return ("failed" if failing else "passed"), counts
