"""How two texts differ, if nothing better explains the difference."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import regex

from tokharness.model import Cause
from tokharness.unicode import properties

__all__ = ["edit_causes", "order_causes"]

MARK = regex.compile(r"\p{M}")
REORDERED = Cause(
    "reordered characters", message="the characters come back in a different order", weak=True
)
REORDERED_MARKS = Cause(
    "reordered characters",
    (("characters", "combining marks"),),
    message="combining marks come back in a different order",
    weak=True,
)

CHANGED = Cause(
    "text changed",
    message="the text comes back changed, and no normal form or class of characters explains it",
    weak=True,
)


def edit_causes(text: str, result: str) -> list[Cause]:
    """Causes that name characters and their place; both ends if either explains the change."""
    if reordered := order_causes(text, result):
        return [*reordered, CHANGED]
    added, dropped = len(result) - len(text), len(text) - len(result)
    at_ends = []
    if added > 0 and result.endswith(text):
        at_ends.append(_edit("added characters", result[:added], "at the start"))
    if added > 0 and result.startswith(text):
        at_ends.append(_edit("added characters", result[-added:], "at the end"))
    if dropped > 0 and text.endswith(result):
        at_ends.append(_edit("dropped characters", text[:dropped], "at the start"))
    if dropped > 0 and text.startswith(result):
        at_ends.append(_edit("dropped characters", text[-dropped:], "at the end"))
    edits = at_ends or [_inner_edit(text, result)]
    anywhere = _without_place(edits[0])
    return [*edits, anywhere, *_without_characters(anywhere), CHANGED]


def order_causes(text: str, result: str) -> list[Cause]:
    """Causes of two texts that have the same characters in a different order."""
    if Counter(text) != Counter(result):
        return []
    if MARK.sub("", text) == MARK.sub("", result):
        return [REORDERED_MARKS, REORDERED]
    return [REORDERED]


def _inner_edit(text: str, result: str) -> Cause:
    dropped, added = Counter(text) - Counter(result), Counter(result) - Counter(text)
    if not added and _is_subsequence(result, text):
        return _edit("dropped characters", "".join(dropped), "inside")
    if not dropped and _is_subsequence(text, result):
        return _edit("added characters", "".join(added), "inside")
    return CHANGED


def _without_place(cause: Cause) -> Cause:
    """Leave out the place, for texts that differ in it."""
    parameters = dict(cause.parameters)
    if "place" not in parameters:
        return cause
    place = parameters.pop("place")
    message = cause.message.removesuffix(f" {place}")
    return replace(cause, parameters=tuple(parameters.items()), message=message)


def _without_characters(cause: Cause) -> list[Cause]:
    """Leave out the characters too."""
    if "characters" not in dict(cause.parameters):
        return []
    change = "with several characters added" if _adds(cause.kind) else "without several characters"
    message = f"the text comes back {change}"
    return [replace(cause, parameters=(("characters", "several"),), message=message)]


def _is_subsequence(part: str, whole: str) -> bool:
    """Whether ``whole`` has the characters of ``part`` in the same order."""
    rest = iter(whole)
    return all(character in rest for character in part)


def _edit(kind: str, characters: str, place: str) -> Cause:
    """Make the cause of an edit; it names a single character, but not several."""
    named = "several" if len(set(characters)) > 1 else properties.label(characters[0])
    what = "several characters" if named == "several" else named
    change = f"with {what} added" if _adds(kind) else f"without {what}"
    message = f"the text comes back {change} {place}"
    return Cause(kind, (("characters", named), ("place", place)), message=message, weak=True)


def _adds(kind: str) -> bool:
    return kind.startswith("added")
