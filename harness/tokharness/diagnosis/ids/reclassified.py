"""Characters that a pre-tokenizer takes for others: U+FEFF for white space, a mark for a symbol.

A pattern sees a character through its class. Where a stand-in of another class, put in the place
of a character, lets the explainer cut a text as the target does, in all contexts that tell classes
apart, the target reads that character as of that class.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable
from itertools import accumulate
from typing import TYPE_CHECKING

from tokharness.model import Cause
from tokharness.outcome import Raised, called
from tokharness.targets.subject import scalar_text
from tokharness.unicode import properties

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["reclassified_causes"]

Cut = Callable[[str], "set[int] | None"]
"""Where the target cuts one character in a context, in bytes."""

STANDINS = {
    "white space": "\u00a0",
    "line ends": "\n",
    "letters": "\u01bb",
    "numbers": "\u0660",
    "symbols": "\u00a6",
    "marks": "\u0300",
}
"""A plain character of each class that the known patterns tell apart."""

CONTEXTS = ("{}a", "a{}", "a{}a", " {}a", "{}'s", "a{}'s", "1{}1", "{}{}", "a {}.", "_{}_a", " {}")
BESIDE = "._"
"""What stands in the contexts beside ordinary characters."""

ORDINARY = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 \r\n'")
ENOUGH = 100
"""Characters of one category in one plane that are read alike, after which others are taken to be.

Those are not told: nobody asked about them.
"""

LISTED = 12


def reclassified_causes(text: str, cuts: set[int], subject: Subject) -> list[Cause]:
    """Causes if other classes of some characters explain where the target cuts this text.

    ``cuts`` are the offsets in bytes of the ends of its tokens.
    """
    plain, known = scalar_text(text), _known(subject)
    characters = sorted(set(plain) - ORDINARY)
    # What is known already may be enough: to ask about a character takes tens of questions.
    for ask in (known.get, lambda one: _read_as(one, subject)):
        read = {one: other for one in characters if (other := ask(one))}
        if read and _fits(plain, _with_standins(plain, read), cuts, subject):
            return [_cause(other, subject) for other in sorted(set(read.values()))]
    return []


def _known(subject: Subject) -> dict[str, str]:
    """By character, the class that it is read as; "" if it is read as what it is."""
    return subject.remember("read as", dict)


def _asked(subject: Subject) -> set[str]:
    """Characters that the target was asked about; the others are taken to be as these are."""
    return subject.remember("asked what they are read as", set)


def _read_as(character: str, subject: Subject) -> str:
    known = _known(subject)
    if character not in known:
        alike: Counter[tuple[str, str]] = subject.remember("read alike", Counter)
        kind = f"{properties.category(character)} {ord(character) >> 16}"
        other = next((name for name in STANDINS if alike[kind, name] >= ENOUGH), None)
        if other is None:
            cut = functools.cache(lambda context: _cut(context, character, subject))
            names = (name for name in STANDINS if _is_read_as(character, name, cut, subject))
            other = next(names, "")
            alike[kind, other] += 1
            _asked(subject).add(character)
        known[character] = other
        if other:
            subject.learn()
    return known[character]


def _is_read_as(character: str, name: str, cut: Cut, subject: Subject) -> bool:
    """Whether the target cuts every context as if the class were this one, and some otherwise.

    A context's own characters may be read as others too, so these are asked about first.
    """
    telling = False
    for context in CONTEXTS:
        beside = set(context) - ORDINARY - {*"{}", character}
        if beside and character in BESIDE:
            continue
        known = {one: other for one in beside if (other := _read_as(one, subject))}
        text, cuts = context.replace("{}", character), cut(context)
        if cuts is None or not _fits(
            text, _with_standins(text, {**known, character: name}), cuts, subject
        ):
            return False
        telling = telling or not _fits(text, _with_standins(text, known), cuts, subject)
    return telling


def _cut(context: str, character: str, subject: Subject) -> set[int] | None:
    """Where the target cuts a character in a context; None where its tokens are not that text."""
    text = context.replace("{}", character)
    cuts = called(lambda: _ends(subject.encode(text), subject))
    return None if isinstance(cuts, Raised) or max(cuts) != len(text.encode()) else cuts


def _ends(ids: list[int], subject: Subject) -> set[int]:
    return {0, *accumulate(map(len, subject.token_bytes(ids)))}


def _with_standins(text: str, read: dict[str, str]) -> str:
    return text.translate({ord(one): STANDINS[other] for one, other in read.items()})


def _fits(text: str, disguised: str, cuts: set[int], subject: Subject) -> bool:
    """Whether a text is cut as its disguised form, of the same length, is split."""
    explainer = subject.explainer
    if explainer is None:
        return False
    start = place = 0
    for piece in explainer.tokenizer.pretokens(disguised):
        own = text[place : place + len(piece)]
        end = start + len(own.encode())
        inside = {cut - start for cut in cuts if start <= cut <= end}
        if not {0, end - start} <= inside:
            return False
        # What the explainer would split further it cannot merge as one piece.
        if explainer.tokenizer.pretokens(own) == [own] and inside != _own_ends(own, subject):
            return False
        start, place = end, place + len(piece)
    return True


def _own_ends(piece: str, subject: Subject) -> set[int]:
    explainer = subject.explainer
    return set() if explainer is None else _ends(list(explainer.encode(piece)), subject)


def _cause(other: str, subject: Subject) -> Cause:
    """Name the characters that are read as others; several by their general categories."""

    def made() -> Cause:
        asked = _asked(subject)
        found = [one for one, read in _known(subject).items() if read == other and one in asked]
        if len(found) == 1:
            named = shown = properties.label(found[0])
        else:
            named = f"of {', '.join(sorted(set(map(properties.category, found))))}"
            named += " beyond the BMP" if min(map(ord, found)) > 0xFFFF else ""
            ranges = properties.ranges(map(ord, found)).split(", ")
            shown = ", ".join(ranges[:LISTED]) + (" and more" if len(ranges) > LISTED else "")
        return Cause(
            "character class",
            (("characters", named), ("read as", other)),
            message=f"the pre-tokenizer takes {shown} for {other}",
        )

    return subject.remember(f"read as {other} in pass {subject.this_pass}", made)
