"""Ids of a text that characters far away change, where a cut is proven to change none.

A reference proves from its file between which characters a cut is neutral. If each two neighbouring
parts of a text have the ids of the text that they make, and the whole has others, what is far away
changes them.
"""

from __future__ import annotations

import operator
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.diagnosis.state import random_causes
from tokharness.model import Cause
from tokharness.outcome import Raised
from tokharness.targets.subject import is_scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness.targets.subject import Subject

SAFE = "safe"
MOST_PARTS = 64
LEAST_PARTS = 3
"""Of two parts, the whole is their own neighbourhood."""

FILLER = "a"

LAST = 4
"""Tokens of a part of a character or a word, with which a text that is cut off may end."""

CUTS_LONG = Cause(
    "cuts long texts",
    message="a text gets different ids than its parts, although each two neighbouring parts agree",
)
"""The cause of ids that depend on the length of the text."""

FAR = Cause(
    "characters far away change ids",
    message="a text gets different ids than its parts because of characters that are far away, "
    "although each two neighbouring parts agree",
)


@dataclass(frozen=True)
class Cuts:
    """Where cuts are neutral.

    Attributes:
        starts: The first code point of each run of a class.
        labels: The class of each run.
        verdicts: The verdict of a cut, by the class of the character before it and after it.
        inside: Pairs of characters in the text of an added token.
        refused: Characters next to which no text is cut.

    """

    starts: Sequence[int]
    labels: Sequence[int]
    verdicts: Sequence[Sequence[str]]
    inside: frozenset[str]
    refused: frozenset[str]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Cuts:
        """Read the proof of a reference."""
        runs = sorted(
            (start, number)
            for number, one in enumerate(data["classes"])
            for start, _ in one["spans"]
        )
        texts = [one["text"] for one in data["added"]]
        # These also depend on what is next to them, so that no cut is made there.
        greedy = [
            one["text"]
            for one in data["added"]
            if one["lstrip"] or one["rstrip"] or one["single_word"]
        ]
        return cls(
            [start for start, _ in runs],
            [number for _, number in runs],
            data["verdicts"],
            frozenset(map("".join, chain.from_iterable(map(pairwise, texts)))),
            frozenset(chain.from_iterable((text[:1], text[-1:]) for text in greedy)),
        )

    @property
    def has_any(self) -> bool:
        """Whether any cut is neutral."""
        return any(SAFE in row for row in self.verdicts)

    def parts(self, text: str) -> list[str]:
        """Return the parts of a text, at most some of them."""
        pairs = map(operator.add, text, text[1:])
        safe = map(self._known.__getitem__, pairs)
        places = [place for place, is_safe in enumerate(safe, 1) if is_safe]
        if len(places) >= MOST_PARTS:
            step = len(places) / (MOST_PARTS - 1)
            places = [places[int(step * number)] for number in range(MOST_PARTS - 1)]
        edges = [0, *places, len(text)]
        return [text[start:end] for start, end in pairwise(edges)]

    @cached_property
    def _known(self) -> _Verdicts:
        return _Verdicts(self)

    def is_safe(self, pair: str) -> bool:
        """Whether a cut between two characters is neutral."""
        last, first = pair[0], pair[1]
        if pair in self.inside or not self.refused.isdisjoint(pair):
            return False
        if self.refused and last.isspace() and first.isspace():
            return False  # white space that an added token takes goes on
        return self.verdicts[self._class_of(last)][self._class_of(first)] == SAFE

    def _class_of(self, char: str) -> int:
        return self.labels[bisect_right(self.starts, ord(char)) - 1]


class _Verdicts(dict[str, bool]):
    """Whether a cut is neutral, by the pair of characters around it."""

    def __init__(self, cuts: Cuts) -> None:
        super().__init__()
        self.cuts = cuts

    def __missing__(self, pair: str) -> bool:
        found = self[pair] = self.cuts.is_safe(pair)
        return found


def cuts_of(subject: Subject) -> Cuts | None:
    """Return where the reference proves cuts; None if it proves none."""

    def ask() -> Cuts | None:
        if subject.reference is None:
            return None
        data = subject.reference.call("seams", 0)
        cuts = None if isinstance(data, Raised) else Cuts.of(data)
        return cuts if cuts is not None and cuts.has_any else None

    return subject.cache.get_or_compute("neutral cuts", ask)


def distant_causes(text: str, subject: Subject) -> list[Cause]:
    """Return the cause if the ids of a text depend on text far away.

    Around a part without ids, which the target drops, other parts become neighbours.
    """
    cuts = cuts_of(subject)
    parts = [] if cuts is None or not is_scalar(text) else cuts.parts(text)
    if len(parts) < LEAST_PARTS or not subject.is_comparable(text):
        return []
    rows, whole = encode_all(parts, subject), subject.encode(text)
    joined = joined_ids(rows, subject)
    if joined is None or whole is None:
        return []
    if not all(without_affixes([*row], subject) for row in rows):
        return []
    whole = without_affixes(whole, subject)
    if whole == joined or is_cut_off(whole, joined) or random_causes(text, subject):
        return []
    if not _neighbours_agree(parts, subject) or not _reference_agrees(text, parts, subject):
        return []
    return [CUTS_LONG if _depends_on_length(parts, whole, subject) else FAR]


def _depends_on_length(parts: Sequence[str], whole: Sequence[Any], subject: Subject) -> bool:
    """Whether a text still has wrong ids if other letters are far from the first wrong one.

    As many characters, or bytes, are there then, and the same white space.
    """
    rows = [without_affixes([*row], subject) for row in encode_all(parts, subject)]
    ends = [*accumulate(map(len, rows))]
    joined = [*chain.from_iterable(rows)]
    pairs = enumerate(zip(joined, whole, strict=False))
    first = next((at for at, (one, other) in pairs if one != other), min(len(joined), len(whole)))
    near = min(bisect_right(ends, first), len(parts) - 1)
    for size_of in (len, lambda char: len(char.encode())):
        filled = [
            part if abs(at - near) <= 1 else _filled(part, size_of) for at, part in enumerate(parts)
        ]
        text = "".join(filled)
        ids, wanted = subject.encode(text), subject.reference_ids(text)
        if ids is not None and without_affixes(ids, subject) != wanted:
            return True
    return False


def _filled(part: str, size_of: Callable[[str], int]) -> str:
    """Return a part with letters in the place of all characters but white space of ASCII."""
    return "".join(char if char in " \t\r\n" else FILLER * size_of(char) for char in part)


def is_cut_off(whole: Sequence[Any], joined: Sequence[Any]) -> bool:
    """Whether the ids of a text are the first of its parts, but for the token at the cut."""
    sure = max(len(whole) - LAST, 0)
    return len(whole) < len(joined) and [*whole[:sure]] == [*joined[:sure]]


def ids_of_parts(parts: Sequence[str], subject: Subject) -> list[Any] | None:
    """Return the ids of parts that are encoded alone, joined; None if a part is refused."""
    return joined_ids(encode_all(parts, subject), subject)


def joined_ids(rows: Sequence[Any], subject: Subject) -> list[Any] | None:
    """Return the ids of parts, joined; None if a part is refused."""
    if any(isinstance(row, Raised) for row in rows):
        return None
    return [*chain.from_iterable(without_affixes([*row], subject) for row in rows)]


def _neighbours_agree(parts: Sequence[str], subject: Subject) -> bool:
    """Whether each two neighbouring parts have the ids of the text that they make."""
    alone = encode_all(parts, subject)
    pairs = encode_all([one + other for one, other in pairwise(parts)], subject)
    for place, pair in enumerate(pairs):
        joined = joined_ids(alone[place : place + 2], subject)
        if isinstance(pair, Raised) or joined != without_affixes([*pair], subject):
            return False
    return True


def _reference_agrees(text: str, parts: Sequence[str], subject: Subject) -> bool:
    """Whether the reference gives the ids of the parts for the text, as it proves.

    The sums of scores in a Unigram model are rounded, which no proof knows.
    """
    whole = subject.reference_ids(text)
    rows = list(map(subject.reference_ids, parts))
    if whole is None or None in rows:
        return False
    return whole == [*chain.from_iterable(row or [] for row in rows)]
