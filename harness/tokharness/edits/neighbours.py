"""Texts in which a token of an edit competes with other tokens for the same characters."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.edits.model import writing_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokharness.edits.model import Edit, Writing
    from tokharness.model import Description

MAX_NEXT = 60
"""Most tokens, or merges, of a kind next to a token of an edit."""

MAX_TOKENS = 4
"""Most tokens of an edit."""


def neighbours_of(
    edits: Sequence[Edit], old: Description, new: Description
) -> dict[Any, list[str]]:
    """Return for each token of some edits texts of it with tokens and merges that it overlaps."""
    writing = writing_of(old)
    about = dict.fromkeys(token for edit in edits for token in edit.about[:MAX_TOKENS])
    merges: list[tuple[Any, Any]] = list(
        dict.fromkeys(pair for one in (old, new) for pair in one.merges or ())
    )
    known = [row.token for row in new.tokens]
    overlaps = {} if merges else _overlaps(about, known, writing)
    return {
        token: [
            *map(writing.text, _holding(token, known)),
            *map(writing.text, _of_merges(token, merges)),
            *overlaps.get(token, ()),
        ]
        for token in about
    }


def _holding(token: Any, known: Iterable[Any]) -> list[Any]:
    return sorted((one for one in known if token in one), key=len)[:MAX_NEXT]


def _of_merges(token: Any, pairs: Sequence[tuple[Any, Any]]) -> Iterator[Any]:
    """Yield the tokens of a merge, each joined with the tokens of an overlapping merge."""
    for left, right in pairs:
        if left + right == token:
            yield from [left + a + b for a, b in pairs if a == right][:MAX_NEXT]
            yield from [a + b + right for a, b in pairs if b == left][:MAX_NEXT]


def _overlaps(
    about: Iterable[Any], known: Iterable[Any], writing: Writing
) -> Mapping[Any, list[str]]:
    """Return texts of each token with the rest of a token that overlaps its end or its beginning.

    Where scores decide, ``taken`` and ``nan`` compete for the ``n`` of ``takenan``. First are the
    rests of the longest overlaps, and then the shortest rests.
    """
    ends: dict[Any, list[Any]] = defaultdict(list)
    starts: dict[Any, list[Any]] = defaultdict(list)
    for token in about:
        for at in range(1, len(token)):
            ends[token[at:]].append(token)
            starts[token[:at]].append(token)
    behind: dict[Any, list[tuple[int, Any]]] = defaultdict(list)
    before: dict[Any, list[tuple[int, Any]]] = defaultdict(list)
    for other in known:
        for at in range(1, len(other)):
            for token in ends.get(other[:at], ()):
                behind[token].append((at, token + other[at:]))
            for token in starts.get(other[at:], ()):
                before[token].append((len(other) - at, other[:at] + token))
    return {
        token: [writing.text(text) for rows in (behind, before) for text in _first(rows[token])]
        for token in {*behind, *before}
    }


def _first(rows: Sequence[tuple[int, Any]]) -> list[Any]:
    longest = sorted(rows, key=lambda row: (-row[0], len(row[1])))[:MAX_NEXT]
    shortest = sorted(rows, key=lambda row: len(row[1]))[:MAX_NEXT]
    return list(dict.fromkeys(text for _, text in chain(longest, shortest)))
