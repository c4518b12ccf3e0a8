"""What differs between two long texts, such as chat templates and patterns, in few words."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

MAX_SHOWN = 60
"""Characters of a value in a sentence."""

CONTEXT = 12
"""Characters of a long value that are shown on each side of the difference."""

MOST_PLACES = 3
"""Places of a template that a message names."""

MOST_PARTS = 1_000
"""Parts of a template, from the first to the last that differs, that are aligned: a larger number
takes long."""

MOST_READ = 100_000
"""Characters of a template that is cut into parts."""

TAG = r"\{#.{0,2000}?#\}|\{%.{0,2000}?%\}|\{\{.{0,2000}?\}\}"
PLACE = re.compile(rf"{TAG}|\n|[^{{\n]+|.", re.DOTALL)
"""A comment, a tag, or text in a line."""


def parts_that_differ(old: str, new: str) -> tuple[str, str]:
    """Return two values, or only the differing parts of long values, with some context."""
    if max(len(old), len(new)) <= MAX_SHOWN:
        return quoted(old), quoted(new)
    start = next(
        (at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b),
        min(len(old), len(new)),
    )
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    first, last = max(start - CONTEXT, 0), max(end - CONTEXT, 0)
    parts = []
    for value in (old, new):
        part = value[first : len(value) - last]
        if len(part) > MAX_SHOWN * 2:
            part = f"{part[: MAX_SHOWN * 2]}\u2026"
        parts.append(
            f"{'...' if first else ''}{part}{'...' if last else ''}".replace("\u2026", "...")
        )
    return parts[0], parts[1]


def quoted(value: str) -> str:
    """Return a value with its bounds where they do not show, and with escapes only if it needs any.

    A pattern has backslashes of its own.
    """
    if value and not value.isspace() and value.strip() == value:
        return value
    return f"'{value}'" if value.isprintable() else repr(value)


def places_that_differ(old: str, new: str) -> str:
    """Return what two templates have in the first places that differ, except comments."""
    places = _places(old, new)
    others = len(places) - MOST_PLACES
    more = [f"and {others} more"] if others > 0 else []
    return "; ".join([*places[:MOST_PLACES], *more])


def _places(old: str, new: str) -> list[str]:
    sources = [source[:MOST_READ] for source in (old, new)]
    before, now = ([one for one in PLACE.findall(text) if one[:2] != "{#"] for text in sources)
    start = _common(before, now)
    end = _common(before[start:][::-1], now[start:][::-1])
    before, now = before[start : len(before) - end], now[start : len(now) - end]
    if max(len(old), len(new)) > MOST_READ or max(len(before), len(now)) > MOST_PARTS:
        was, shown = parts_that_differ(old, new)
        return [] if old == new else [f"{shown}, was {was}"]
    found = []
    for kind, a, b, c, d in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        gone, added = "".join(before[a:b]), "".join(now[c:d])
        if kind == "replace":
            was, shown = parts_that_differ(gone, added)
            found.append(f"{shown}, was {was}")
        elif kind != "equal":
            shown, _ = parts_that_differ(gone or added, "")
            found.append(f"{shown} is {'gone' if gone else 'new'}")
    return found


def _common(one: list[str], other: list[str]) -> int:
    """Return the number of parts that two lists begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
