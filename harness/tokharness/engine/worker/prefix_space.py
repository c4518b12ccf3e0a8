"""A space that a target puts before each text, or no longer puts there, as changed ids show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tokharness.engine.worker.grouping import DiagnosedText
from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.targets.snapshot import ChangedText, Ids
    from tokharness.targets.subject import Subject

LEAST, TRIED = 3, 40
"""Fewest changed texts, and how many of the shortest are tried: half of them have to show it."""

CONTEXT: Final = "x"
"""Precedes ids whose first space is decoded: decoders strip a space from the start of a text."""


def by_prefix_space(changed: Sequence[ChangedText], subject: Subject) -> list[DiagnosedText]:
    """Return the texts whose ids differ since a space is put before each text, or no longer is.

    If the space was put there, the target gives the earlier ids for a space and the text. If it is
    put there now, these are the earlier ids of a space and the text, or decode to them.
    """
    changed = [one for one in changed if not isinstance(one.after, str)]
    before = {one.text: one.before for one in changed}
    text_of = _decoder(subject)

    def was_put(one: ChangedText) -> bool:
        return tuple(subject.encode(f" {one.text}") or ()) == one.before

    def is_put(one: ChangedText) -> bool:
        if known := before.get(f" {one.text}"):
            return known == one.after
        return text_of(one.after) == f" {text_of(one.before)}"

    shortest = sorted(changed, key=lambda one: (len(one.text), one.text))[:TRIED]
    for what, message, shows, more in (
        ("off, was on", "the ids no longer begin with a space that the text lacks", was_put, -1),
        ("on, was off", "the ids begin with a space that the text lacks", is_put, 1),
    ):
        if LEAST <= len(shortest) <= 2 * sum(map(shows, shortest)):
            cause = Cause("prefix space", (("change", what),), message=message)
            return [
                DiagnosedText(one.text, one.group, (cause,))
                for one in changed
                if shows(one) or _spaces(one, text_of) * more > 0
            ]
    return []


def _decoder(subject: Subject) -> Callable[[Ids | None], str]:
    """Return a function that decodes ids behind other text: decoders strip a first space."""
    context = subject.encode(CONTEXT) or []

    def text_of(ids: Ids | None) -> str:
        start, whole = (subject.decode([*context, *more]) for more in ((), ids or ()))
        return (whole or "").removeprefix(start or "")

    return text_of


def _spaces(one: ChangedText, text_of: Callable[[Ids | None], str]) -> int:
    """Return by how many spaces the texts of the ids differ, 0 if they differ otherwise, too.

    A prefix space is put behind each special token, too.
    """
    before, after = text_of(one.before), text_of(one.after)
    same = before.replace(" ", "") == after.replace(" ", "")
    return len(after) - len(before) if same else 0
