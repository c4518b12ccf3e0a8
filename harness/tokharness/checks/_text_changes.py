"""Why a text came back changed: a normal form, characters dropped or replaced, an edit.

Used wherever a text is compared with what is left of it, by the lossy round trip and by
the comparison of ids. Each explanation is a :class:`Cause`; the narrowest comes first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tokharness.checks._characters import changed_characters, changed_to, class_or_ranges_by
from tokharness.checks._text_forms import FORMS, forms_that_explain
from tokharness.model import Cause
from tokharness.subject import scalar_text
from tokharness.unicode import properties

if TYPE_CHECKING:
    from tokharness.subject import Subject

__all__ = ["explain_change"]

Transform = Callable[[str], str]

MOST_RANGES = 2
"""What is told of an edit: with more different characters, the place alone tells it."""


def explain_change(
    raw: str, seen: str, subject: Subject, transform: Transform, via: str
) -> list[Cause]:
    """Causes that turn the text ``raw`` into ``seen``; never empty.

    Lone surrogates are taken to become U+FFFD, which explains nothing. ``transform`` is what
    the target does to a text, asked again about single characters; ``via`` names it, since what
    was learned is remembered for the run.
    """
    text = scalar_text(raw)
    named = [_normalizer(form) for form in forms_that_explain(text, seen)]
    found = _dropped(text, seen) or _replaced(text, seen)
    known = _known_changes(subject, transform, via, set(found))
    names = subject.remember(
        f"{via}: names of pass {subject.this_pass}", lambda: class_or_ranges_by(known)
    )
    if found and found.items() <= known.items():
        return [*_character_causes(found, names), *named]
    return named or _together(raw, seen, known, names) or _edits(text, seen)


def _dropped(text: str, seen: str) -> dict[str, str]:
    """Characters that are gone wherever they stood, if that is all that changed."""
    gone = set(text) - set(seen)
    if gone and text.translate(dict.fromkeys(map(ord, gone))) == seen:
        return dict.fromkeys(gone, "")
    return {}


def _replaced(text: str, seen: str) -> dict[str, str]:
    """Characters that became another wherever they stood, if that is all that changed."""
    if len(text) != len(seen):
        return {}
    pairs = dict(zip(text, seen, strict=True))
    if _translate(text, pairs) != seen:
        return {}
    return {old: new for old, new in pairs.items() if old != new}


def _translate(text: str, pairs: dict[str, str]) -> str:
    return text.translate({ord(old): new for old, new in pairs.items()})


def _known_changes(
    subject: Subject, transform: Transform, via: str, found: set[str]
) -> dict[str, str]:
    """Changes of single characters, learned once, and again for characters not yet asked about."""
    known: dict[str, str] = subject.remember(
        f"{via}: characters", lambda: changed_characters(transform)
    )
    asked: set[str] = subject.remember(f"{via}: asked", set)
    for character in [c for c in found if c not in known and c not in asked]:
        asked.add(character)
        new = changed_to(character, transform)
        if new is not None:
            known[character] = new
            subject.learn()
    return known


def _normalizer(form: str) -> Cause:
    message = f"the text comes back changed by {form}, which the target does not declare"
    return Cause("normalizer", (("form", form),), message=message)


def _character_causes(found: dict[str, str], names: dict[str, str]) -> list[Cause]:
    """One cause for all dropped characters, one for each replacement that many share."""
    return [_character_cause(names.get(new, "several"), new) for new in sorted(set(found.values()))]


def _character_cause(name: str, new: str) -> Cause:
    if not new:
        message = f"the text comes back without {name}"
        return Cause("dropped characters", (("characters", name),), message=message)
    by = " ".join(properties.label(character) for character in new)
    parameters = (("characters", name), ("by", by))
    return Cause(
        "replaced characters", parameters, message=f"the text comes back with {by} for {name}"
    )


def _together(raw: str, seen: str, known: dict[str, str], names: dict[str, str]) -> list[Cause]:
    """Causes at work in one text: known changes of characters, and after them a normal form.

    A character dropped between two lone surrogates joins them, so the raw text is looked at.
    """
    inside = {old: new for old, new in known.items() if old in raw}
    if not inside:
        return []
    plain = scalar_text(_translate(raw, inside))
    causes = _character_causes(inside, names)
    if plain == seen:
        return causes
    for name, form in FORMS.items():
        if form(plain) == seen:
            return [*causes, _normalizer(name)]
    return []


def _edits(text: str, seen: str) -> list[Cause]:
    """Name the one place where two texts differ; both ends, where either explains it."""
    if text.startswith(f"{seen}\0"):
        return [Cause("truncated", (("at", "U+0000"),), message="the text is cut off at U+0000")]
    added, gone = len(seen) - len(text), len(text) - len(seen)
    edits = []
    if added > 0 and seen.endswith(text):
        edits.append(_placed("added characters", seen[:added], "at the start"))
    if added > 0 and seen.startswith(text):
        edits.append(_placed("added characters", seen[-added:], "at the end"))
    if gone > 0 and text.endswith(seen):
        edits.append(_placed("dropped characters", text[:gone], "at the start"))
    if gone > 0 and text.startswith(seen):
        edits.append(_placed("dropped characters", text[-gone:], "at the end"))
    return edits or [_inner_edit(text, seen)]


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
    return Cause("text changed", message=message)


def _shared_start(one: str, other: str) -> str:
    length = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    return one[:length]


def _placed(kind: str, characters: str, place: str) -> Cause:
    ranges = properties.ranges(set(map(ord, characters)))
    if ranges.count(",") > MOST_RANGES:
        ranges = "several"
    preposition = "with" if kind.startswith("added") else "without"
    message = f"the text comes back {preposition} {ranges} {place}"
    return Cause(kind, (("characters", ranges), ("place", place)), message=message)
