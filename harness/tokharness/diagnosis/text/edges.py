"""Characters that a target drops at the start or at the end of a text, and keeps inside.

White space, line ends and U+FEFF have forms of their own (:mod:`.normal_forms`). Each character is
tried by itself, at the edge and between two letters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from tokharness.diagnosis.text.characters import (
    between_letters,
    describe_by_replacement,
    probe_characters,
)
from tokharness.model import Cause

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

Transform = Callable[[str], "str | None"]

START, END = "at the start", "at the end"


@dataclass(slots=True)
class _Edge:
    """The characters that are dropped at an edge, the others that were tried, and how many go."""

    dropped: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)
    is_each: bool = True
    is_searched: bool = False

    def rest(self, text: str, place: str) -> str:
        """Return what is left of a text."""
        if place == END:
            return self.rest(text[::-1], START)[::-1]
        most = len(text) if self.is_each else 1
        size = next((at for at, one in enumerate(text) if one not in self.dropped), len(text))
        return text[min(size, most) :]


def edge_causes(
    text: str, result: str, subject: Subject, transform: Transform, via: str
) -> list[Cause]:
    """Return the cause that names the characters that are missing at one edge of a text."""
    for place, is_rest in ((START, text.endswith), (END, text.startswith)):
        if not is_rest(result) or result == text:
            continue
        size = len(text) - len(result)
        edge = _edge(place, via, subject)
        missing = text[:size] if place == START else text[-size:]
        if not all(_is_dropped(one, place, edge, transform) for one in missing):
            continue
        if not edge.is_searched:
            edge.is_searched = True
            subject.diagnosis_pass.learned = True
            _try_all(place, edge, subject, transform)
        if edge.rest(text, place) == result:
            name = describe_by_replacement(dict.fromkeys(edge.dropped, ""))[""]
            message = f"the text comes back without {name} {place}"
            parameters = (("characters", name), ("place", place))
            return [Cause("dropped characters", parameters, message=message)]
    return []


def without_edge(cause: Cause, via: str, subject: Subject) -> Callable[[str], str] | None:
    """Return how a cause of :func:`edge_causes` changes a text; None for other causes."""
    place = dict(cause.parameters).get("place", "")
    edge = _edge(place, via, subject) if place in (START, END) else None
    return (lambda text: edge.rest(text, place)) if edge and edge.dropped else None


def _edge(place: str, via: str, subject: Subject) -> _Edge:
    return subject.cache.get_or_compute(f"{via}: dropped {place}", _Edge)


def _try_all(place: str, edge: _Edge, subject: Subject, transform: Transform) -> None:
    """Try all characters that filters change, and whether each of several goes."""
    characters = probe_characters()
    texts = [_at(place, one) for one in characters]
    subject.target.fetch([*texts, *chain.from_iterable(map(_inside, characters))], decoded=True)
    for one in characters:
        _is_dropped(one, place, edge, transform)
    example = min(edge.dropped)
    edge.is_each = transform(_at(place, example * 2)) == _at(place, "")


def _is_dropped(character: str, place: str, edge: _Edge, transform: Transform) -> bool:
    if character not in edge.tried:
        edge.tried.add(character)
        inside = _inside(character)
        if transform(_at(place, character)) == _at(place, "") and inside == [
            *map(transform, inside)
        ]:
            edge.dropped.add(character)
    return character in edge.dropped


def _inside(character: str) -> list[str]:
    """Return texts with a character between letters: the letters, too, may decide."""
    return [between_letters(character), f"x{character}y"]


def _at(place: str, characters: str) -> str:
    return f"{characters}b" if place == START else f"a{characters}"
