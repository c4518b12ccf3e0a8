"""How two texts differ, where nothing better explains the difference."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from tokharness.model import Cause
from tokharness.unicode import properties

__all__ = ["edit_causes"]

CHANGED = Cause(
    "text changed",
    message="the text comes back changed, and no normal form or class of characters explains it",
    weak=True,
)


def edit_causes(text: str, seen: str) -> list[Cause]:
    """Causes that name characters and place; both ends, where either explains it."""
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
    inner = [] if found else [_inner_edit(text, seen)]
    anywhere = _anywhere((found or inner)[0])
    return [*found, *inner, anywhere, *_several(anywhere), CHANGED]


def _inner_edit(text: str, seen: str) -> Cause:
    gone, come = Counter(text) - Counter(seen), Counter(seen) - Counter(text)
    if not gone and not come:
        message = "the characters come back in another order"
        return Cause("reordered characters", message=message, weak=True)
    if not come and _is_within(seen, text):
        return _placed("dropped characters", "".join(gone), "inside")
    if not gone and _is_within(text, seen):
        return _placed("added characters", "".join(come), "inside")
    return CHANGED


def _anywhere(cause: Cause) -> Cause:
    """Make the cause that leaves the place open, for texts that do not agree on it."""
    parameters = dict(cause.parameters)
    if "place" not in parameters:
        return cause
    place = parameters.pop("place")
    message = cause.message.removesuffix(f" {place}")
    return replace(cause, parameters=tuple(parameters.items()), message=message)


def _several(cause: Cause) -> list[Cause]:
    """Make the cause that leaves the characters open, too."""
    if "characters" not in dict(cause.parameters):
        return []
    verb = "with" if cause.kind.startswith("added") else "without"
    message = f"the text comes back {verb} several characters"
    return [replace(cause, parameters=(("characters", "several"),), message=message)]


def _is_within(part: str, whole: str) -> bool:
    """Whether the characters of one text stand in the other in the same order."""
    rest = iter(whole)
    return all(character in rest for character in part)


def _placed(kind: str, characters: str, place: str) -> Cause:
    """Name a single character; with several the place alone tells it."""
    ranges = "several" if len(set(characters)) > 1 else properties.label(characters[0])
    preposition = "with" if kind.startswith("added") else "without"
    extra = "characters more" if kind.startswith("added") else "characters"
    what = f"several {extra}" if ranges == "several" else ranges
    message = f"the text comes back {preposition} {what} {place}"
    return Cause(kind, (("characters", ranges), ("place", place)), message=message, weak=True)
