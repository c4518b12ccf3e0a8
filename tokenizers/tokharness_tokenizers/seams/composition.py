"""The stages of a tokenizer one after another: between which characters of a text they cut it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from tokharness_tokenizers.seams.partition import Partition, Spans
from tokharness_tokenizers.seams.stages import Meeting, Stage

Sides = tuple[frozenset[str] | None, frozenset[str] | None]
"""With which characters the result of a text may end, and begin; None for any."""


@dataclass(frozen=True)
class Composition:
    """Stages in their order.

    Attributes:
        stages: The stages; the last is the model.

    """

    stages: Sequence[Stage] = field(repr=False)

    @cached_property
    def partition(self) -> Partition:
        """The classes of characters that no stage tells apart."""
        changed = {ord(char) for stage in self.stages for char in stage.images}
        borders = [start for stage in self.stages for start in stage.partition.starts]
        borders += [border for point in changed for border in (point, point + 1)]
        return Partition.by(borders, lambda point: self._key(chr(point)))

    def _key(self, char: str) -> tuple[object, ...]:
        return tuple(
            (frozenset(lasts), firsts)
            for lasts, firsts in map(self._labels, self.stages, self._sides(char))
        )

    @staticmethod
    def _labels(stage: Stage, sides: Sides) -> tuple[frozenset[int], frozenset[int]]:
        return stage.labels(sides[0]), stage.labels(sides[1])

    def _sides(self, char: str) -> list[Sides]:
        """Return what a character is at the input of each stage, at the end and at the start."""
        sides: Sides = (frozenset(char), frozenset(char))
        return list(accumulate(self.stages[:-1], self._through, initial=sides))

    @staticmethod
    def _through(sides: Sides, stage: Stage) -> Sides:
        lasts, firsts = sides
        return _image(lasts, stage, is_last=True), _image(firsts, stage, is_last=False)

    @cached_property
    def safe(self) -> list[list[bool]]:
        """Whether a cut is neutral, by the class of the character before it and after it."""
        rows = [
            list(map(self._labels, self.stages, self._sides(char)))
            for char in self.partition.representatives
        ]
        return [[self._is_safe(one, other) for other in rows] for one in rows]

    def _is_safe(
        self,
        one: list[tuple[frozenset[int], frozenset[int]]],
        other: list[tuple[frozenset[int], frozenset[int]]],
    ) -> bool:
        for stage, (lasts, _), (_, firsts) in zip(self.stages, one, other, strict=True):
            meeting = stage.meeting(lasts, firsts)
            if meeting is not Meeting.JOINED:
                return meeting is Meeting.CUT
        return False

    @cached_property
    def merged(self) -> tuple[list[Spans], list[list[bool]]]:
        """The classes that are safe next to the same classes, and whether cuts are neutral."""
        safe = self.safe
        columns = list(zip(*safe, strict=True))
        groups: dict[tuple[tuple[bool, ...], tuple[bool, ...]], list[int]] = {}
        for label, (row, column) in enumerate(zip(safe, columns, strict=True)):
            groups.setdefault((tuple(row), column), []).append(label)
        chosen = [labels[0] for labels in groups.values()]
        number = {label: at for at, labels in enumerate(groups.values()) for label in labels}
        merged = Partition(
            self.partition.starts, [number[label] for label in self.partition.labels]
        )
        matrix = [[safe[last][first] for first in chosen] for last in chosen]
        return [merged.spans(label) for label in range(merged.size)], matrix


def _image(chars: frozenset[str] | None, stage: Stage, *, is_last: bool) -> frozenset[str] | None:
    if chars is None:
        return None
    found: set[str] = set()
    for char in chars:
        image = stage.images.get(char)
        if image is None:
            found.add(char)
            continue
        new = image.last if is_last else image.first
        if new is None:
            return None
        found |= new
    return frozenset(found)
