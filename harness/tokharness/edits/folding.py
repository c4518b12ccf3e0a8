"""Several equal differences of two files as one edit, in words and with the tokens that show it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tokharness.edits.model import Edit

MAX_SINGLE = 6
"""Number of edits of one kind that have a line each; more edits are joined to one."""


def fold(group: Sequence[Any], edit_of: Callable[[Sequence[Any]], Edit]) -> Iterator[Edit]:
    """Yield an edit for each step, or one edit for all if there are many steps."""
    if len(group) > MAX_SINGLE:
        yield edit_of(group)
    else:
        for step in group:
            yield edit_of([step])


def in_words(group: Sequence[Any], singular: str, plural: str) -> str:
    """Describe the only difference of a group, or the number of differences and the first."""
    if len(group) == 1:
        return singular
    return f"{plural.format(len(group))}, the first: {singular}"


def shown_by(pairs: Iterable[tuple[Any, Any]]) -> tuple[Any, ...]:
    """Return the first tokens, or merges, of differences that have one or two each."""
    found = (one for pair in pairs for one in pair if one is not None)
    return tuple(islice(found, 8 * MAX_SINGLE))
