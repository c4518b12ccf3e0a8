"""What is known of the texts that end a target's process, so that it need not die of each.

A hang costs its whole time limit and a crash a new process, so a text that holds a deadly text, or
after several deaths one of a deadly text's shape, is not tried. What is not tried is told as a
skip, never as a failure or a pass. After each hang the next one gets a quarter of the time: a
finding is made only of what was confirmed in a fresh process with all of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from tokharness.errors import NotTriedError, TargetDeath

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Deadly"]

SHORTEST = 1 / 20
"""Share of its time that a text is given when many have hung."""

PROOFS = 2
"""Texts that hold a deadly one and die as well, after which others are not tried."""

MOST_HANGS, MOST_DEATHS = 3, 100
"""After so many, texts like those that died are not tried, as long as none of them lives."""

MOST_RUNS, MOST_STARTS = 64, 4096
"""Runs that are compared, and places in another text where they are looked for."""

Key = tuple[str, str | tuple[int, ...] | int]
Shape = tuple[tuple[str, int], ...]


class Deadly:
    """What is known, by operation and item.

    ``rows`` are those of an earlier one: ``[op, item, how, words]`` in the order in which they
    came, with None for ``how`` where a text lived that was expected to die.
    """

    def __init__(self, rows: Iterable[Sequence[Any]] = ()) -> None:
        self._deaths: dict[Key, TargetDeath] = {}
        self._hangs = 0
        self._held: dict[str, dict[str, int]] = defaultdict(dict)  # by the first character
        self._crashes: dict[Shape, bool] = {}  # whether still deadly
        self._hanging: dict[Shape, set[str] | None] = {}  # characters in all of them; None: lived
        self.rows: list[list[Any]] = []
        for op, item, how, words in rows:
            if how is None:
                self.lived(op, item)
            else:
                self.add(op, item, TargetDeath(how, words))

    @property
    def patience(self) -> float:
        """Share of its time that the next text is given."""
        return max(0.25**self._hangs, SHORTEST)

    @property
    def deaths(self) -> int:
        """How many items ended the process."""
        return len(self._deaths)

    def add(self, op: str, item: Any, death: TargetDeath) -> None:
        """Keep a death."""
        self.rows.append([op, item, death.how, death.words])
        self._deaths[_key(op, item)] = death
        hung = death.how == "time limit"
        self._hangs += hung
        if not isinstance(item, str):
            return
        held = self._held_by(item)
        for text in held:
            self._held[text[:1]][text] += 1
        if not held:
            self._held[item[:1]][item] = 0
        shape = _shape(item)
        if not hung:
            self._crashes.setdefault(shape, True)
            return
        for one, common in self._hanging.items():
            if common is not None and _in(one, shape):
                common &= set(item)
        self._hanging.setdefault(shape, set(item))

    def lived(self, op: str, item: Any) -> None:
        """Note that an item did not die: nothing that it is like is expected to."""
        if not isinstance(item, str) or not self._deaths:
            return
        held = self._held_by(item)
        shape = _shape(item)
        hanging = self._hangs_like(shape, item)
        if not held and not hanging and not self._crashes.get(shape):
            return
        self.rows.append([op, item, None, ""])
        for text in held:
            del self._held[text[:1]][text]
        for one in hanging:
            self._hanging[one] = None
        if shape in self._crashes:
            self._crashes[shape] = False

    def death(self, op: str, item: Any) -> TargetDeath | None:
        """How the process died of just this, or None."""
        return self._deaths.get(_key(op, item)) if self._deaths else None

    def concerns(self, op: str, item: Any) -> bool:
        """Whether an item is deadly, or near enough to what is to be asked about alone."""
        if not self._deaths:
            return False
        if self.death(op, item) is not None:
            return True
        return isinstance(item, str) and bool(self._held_by(item))

    def not_tried(self, op: str, item: Any) -> NotTriedError | None:
        """Why a text is not tried, if it is not to be."""
        if not isinstance(item, str) or not self._deaths or self.death(op, item):
            return None
        if any(self._held[text[:1]][text] >= PROOFS for text in self._held_by(item)):
            return NotTriedError("it holds a text that crashes or hangs the target")
        crashes, hangs = len(self._deaths) >= MOST_DEATHS, self._hangs >= MOST_HANGS
        if crashes or hangs:
            shape = _shape(item)
            if (crashes and self._crashes.get(shape)) or (hangs and self._hangs_like(shape, item)):
                return NotTriedError("it resembles several texts that crash or hang the target")
        return None

    def is_left_out(self, op: str, item: Any) -> bool:
        """Whether the process died of just this item, or it is not tried."""
        return self.death(op, item) is not None or self.not_tried(op, item) is not None

    def _held_by(self, item: str) -> list[str]:
        """Deadly texts in a text."""
        known = self._held
        return [text for char in set(item) if char in known for text in known[char] if text in item]

    def _hangs_like(self, shape: Shape, item: str) -> list[Shape]:
        """Shapes of texts that hung, of which this one has more of the same.

        It also has the characters that all those texts share: one of them may be the cause.
        """
        return [
            one
            for one, common in self._hanging.items()
            if common is not None and common <= set(item) and _in(one, shape)
        ]


def _key(op: str, item: Any) -> Key:
    return op, tuple(item) if isinstance(item, list) else item


class _Majors(dict[int, str]):
    """Major category of each code point, looked up when first asked for."""

    def __missing__(self, point: int) -> str:
        from tokharness.unicode.properties import category

        return self.setdefault(point, category(chr(point))[0])


_MAJORS = _Majors()
_RUN = re.compile(r"(.)\1*", re.DOTALL)


def _shape(text: str) -> Shape:
    """Runs of characters of one major category, with their lengths."""
    runs = (run.group() for run in _RUN.finditer(text.translate(_MAJORS)))
    return tuple((run[0], len(run)) for run in runs)


def _in(shape: Shape, longer: Shape) -> bool:
    """Whether runs of these categories, at least as long, stand in a row in another shape.

    Of very many runs the first decide: texts that repeat would be compared at each of them.
    """
    first = shape[:MOST_RUNS]
    starts = range(min(len(longer) - len(shape) + 1, MOST_STARTS))
    return any(
        all(
            one == other and least <= length
            for (one, least), (other, length) in zip(
                first, longer[start : start + len(first)], strict=True
            )
        )
        for start in starts
    )
