"""Published templates by digests of their statements, in ``known_templates.json``.

The file has no text of a template: of each statement a digest of 32 bits, its line, its kind, and
the names of variables and keys in it. So a template that somebody has changed is compared,
statement by statement, with the published one that it was made from.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FILE = "known_templates.json"

PACKED = ("numbers", "steps")
"""Keys of the statements of a template, and of the steps from line to line."""

DIGITS = 8
"""Hex digits of the digest of a statement."""

NEAR = 0.75
"""Least share of the statements of two templates that makes one a changed copy of the other."""

LEAST_STATEMENTS = 20
"""Least number of statements of a template that is compared: a short one is like many."""

TEXT, ELSE, END = "a text", "an else", "the end of "
"""Kinds of statements: a line that is written, and parts of a block; the last one is a prefix."""

MOST_WORDS = 3
"""Statements of a place that are named, and names of a statement."""

MOST_TEXT = 60
"""Characters that are shown of a text."""


class Statement(NamedTuple):
    """A statement: what kind, a digest of it, its line, the names in it, and the text that it is.

    Variables, attributes and keys have names, such as ``message`` and ``content``.
    """

    kind: str
    digest: str
    line: int
    names: tuple[str, ...] = ()
    text: str = ""


class Place(NamedTuple):
    """What differs from a known template, in words, and the line of the template."""

    line: int
    words: str


@dataclass(frozen=True, slots=True)
class Known:
    """A published template: its name, where it is from, and its statements as the file has them."""

    name: str
    source: str
    numbers: tuple[str, ...]
    steps: tuple[str, ...]

    @property
    def statements(self) -> list[Statement]:
        """The statements."""
        kinds, rows = _record()["kinds"], _record()["statements"]
        found, line = [], 0
        for number, step in zip(self.numbers, self.steps, strict=True):
            digest, kind, *names = rows[int(number)].split()
            line += int(step)
            found.append(Statement(kinds[int(kind)], digest, line, tuple(names)))
        return found


def digest_of(text: str) -> str:
    """Return the digest of what a statement is."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def part_of(kind: str, head: str) -> str:
    """Return the digest of a part of a block, from the digest of what begins the block."""
    return digest_of(f"{kind} {head}")


def nearest(own: Sequence[Statement]) -> tuple[Known, float] | None:
    """Return the known template that shares most statements, and the share; None if none is near.

    The share is of the statements of both.
    """
    if len(own) < LEAST_STATEMENTS:
        return None
    common = [0] * len(known())
    for digest, count in Counter(one.digest for one in own).items():
        for place, theirs in _where().get(digest, {}).items():
            common[place] += min(count, theirs)
    rows = zip(known(), common, strict=True)
    shares = [2 * both / (len(own) + len(one.numbers)) for one, both in rows]
    share = max(shares)
    return (known()[shares.index(share)], share) if share >= NEAR else None


def places(own: Sequence[Statement], other: Known) -> list[Place]:
    """Return what differs from a known template, in the order of lines."""
    theirs = other.statements
    given, wanted = [one.digest for one in own], [one.digest for one in theirs]
    rows = SequenceMatcher(None, wanted, given, autojunk=False).get_opcodes()
    differing = [row for row in rows if row[0] != "equal"]
    lost = [theirs[at] for _, start, end, _, _ in differing for at in range(start, end)]
    added = [own[at] for _, _, _, start, end in differing for at in range(start, end)]
    moved = Counter(one.digest for one in lost) & Counter(one.digest for one in added)
    origins = {one.digest: one.line for one in reversed(lost) if one.digest in moved}
    found = []
    for _, start, end, first, last in differing:
        gone = _heads(theirs[start:end], lost, moved)
        new = _heads(own[first:last], added, {})
        line = new[0].line if new else own[min(first, len(own) - 1)].line
        if words := _words(gone, new, origins):
            found.append(Place(line, words))
    return found


def _heads(
    rows: Iterable[Statement], differing: Sequence[Statement], moved: Mapping[str, int]
) -> list[Statement]:
    """Return statements without what has moved, and parts of a block that itself differs."""
    heads = {one.digest for one in differing if not _is_part(one)}
    parts = {part_of(kind, head) for head in heads for kind in (ELSE, END)}
    return [one for one in rows if one.digest not in moved and one.digest not in parts]


def _is_part(one: Statement) -> bool:
    return one.kind == ELSE or one.kind.startswith(END)


def _words(
    lost: Sequence[Statement], added: Sequence[Statement], origins: Mapping[str, int]
) -> str:
    """Return what a place of a template has in the place of a known one's statements."""
    new = [one for one in added if one.digest not in origins]
    moved = [one for one in added if one.digest in origins]
    said = [f"moved from its line {origins[moved[0].digest]}: {_all(moved)}"] if moved else []
    where = f" in its line {lost[0].line}" if lost else ""
    if new and lost:
        return "; ".join([f"{_all(new)} in the place of {_all(lost)}{where}", *said])
    said += [f"added: {_all(new)}"] if new else []
    said += [f"missing: {_all(lost)}{where}"] if lost else []
    return "; ".join(said)


def _all(rows: Sequence[Statement]) -> str:
    words = [_one(one) for one in rows[:MOST_WORDS]]
    words += [f"{len(rows) - MOST_WORDS} more"] if len(rows) > MOST_WORDS else []
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _one(one: Statement) -> str:
    if one.text:
        shown = one.text if len(one.text) <= MOST_TEXT else f"{one.text[:MOST_TEXT]}..."
        return f"the text {shown!r}"
    return f"{one.kind} ({', '.join(one.names[:MOST_WORDS])})" if one.names else one.kind


@cache
def known() -> tuple[Known, ...]:
    """Return the published templates, in the order of the file."""
    return tuple(
        Known(one["name"], one["source"], *(tuple(one[key].split()) for key in PACKED))
        for one in _record()["templates"]
    )


@cache
def _record() -> dict[str, Any]:
    text = files("tokharness.conversations").joinpath(FILE).read_text("ascii")
    return dict(json.loads(text))


@cache
def _where() -> dict[str, dict[int, int]]:
    """Return the templates that have a statement, and how often, by the digest of the statement."""
    digests = [row[:DIGITS] for row in _record()["statements"]]
    found: dict[str, dict[int, int]] = {}
    for place, one in enumerate(known()):
        for number, count in Counter(one.numbers).items():
            found.setdefault(digests[int(number)], {})[place] = count
    return found


def packed(rows: Mapping[tuple[str, str], Sequence[Statement]]) -> dict[str, Any]:
    """Return what the file has of statements by name and source: each statement once."""
    unique: dict[tuple[str, ...], int] = {}
    kinds: dict[str, int] = {}
    templates = []
    for (name, source), statements in rows.items():
        lines = [0, *(one.line for one in statements)]
        keys = [
            (one.digest, str(kinds.setdefault(one.kind, len(kinds))), *one.names)
            for one in statements
        ]
        numbers = [unique.setdefault(key, len(unique)) for key in keys]
        steps = [line - before for before, line in pairwise(lines)]
        row = [" ".join(map(str, one)) for one in (numbers, steps)]
        templates.append({"name": name, "source": source, **dict(zip(PACKED, row, strict=True))})
    return {"kinds": list(kinds), "statements": list(map(" ".join, unique)), "templates": templates}
