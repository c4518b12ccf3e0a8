"""The one place where two texts differ, where nothing better explains the difference."""

from __future__ import annotations

from tokharness.model import Cause
from tokharness.unicode import properties

__all__ = ["edits"]


def edits(text: str, seen: str) -> list[Cause]:
    """Causes that name the place; both ends, where either explains it."""
    if text.startswith(f"{seen}\0"):
        return [Cause("truncated", (("at", "U+0000"),), message="the text is cut off at U+0000")]
    added, gone = len(seen) - len(text), len(text) - len(seen)
    found = []
    if added > 0 and seen.endswith(text):
        found.append(_placed("added characters", seen[:added], "at the start"))
    if added > 0 and seen.startswith(text):
        found.append(_placed("added characters", seen[-added:], "at the end"))
    if gone > 0 and text.endswith(seen):
        found.append(_placed("dropped characters", text[:gone], "at the start"))
    if gone > 0 and text.startswith(seen):
        found.append(_placed("dropped characters", text[-gone:], "at the end"))
    return found or [_inner_edit(text, seen)]


def _inner_edit(text: str, seen: str) -> Cause:
    before = _shared_start(text, seen)
    rest, rest_seen = text[len(before) :], seen[len(before) :]
    after = _shared_start(rest[::-1], rest_seen[::-1])
    gone = rest[: len(rest) - len(after)]
    come = rest_seen[: len(rest_seen) - len(after)]
    if not come:
        return _placed("dropped characters", gone, "inside")
    if not gone:
        return _placed("added characters", come, "inside")
    message = "the text comes back changed, and no normal form or class of characters explains it"
    return Cause("text changed", message=message, weak=True)


def _shared_start(one: str, other: str) -> str:
    length = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    return one[:length]


def _placed(kind: str, characters: str, place: str) -> Cause:
    """Name a single character; with several the place alone tells it."""
    ranges = "several" if len(set(characters)) > 1 else properties.label(characters[0])
    preposition = "with" if kind.startswith("added") else "without"
    extra = "characters more" if kind.startswith("added") else "characters"
    what = f"several {extra}" if ranges == "several" else ranges
    message = f"the text comes back {preposition} {what} {place}"
    return Cause(kind, (("characters", ranges), ("place", place)), message=message, weak=True)
