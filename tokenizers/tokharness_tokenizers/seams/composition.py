"""The stages of a tokenizer one after another: between which characters of a text they cut it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from tokharness_tokenizers.seams.partition import Partition, Spans
from tokharness_tokenizers.seams.stages import Image, Meeting, Stage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Labels = tuple[frozenset[int], frozenset[int]]
"""The classes of the characters with which a text may end, and begin."""


@dataclass(frozen=True)
class Composition:
    """Stages in their order.

    Attributes:
        stages: The stages; the last is the model.

    """

    stages: Sequence[Stage] = field(repr=False)

    @cached_property
    def partition(self) -> Partition:
        """The classes of characters that no stage distinguishes."""
        borders = [start for stage in self.stages for start in stage.partition.starts]
        for stage in self.stages:
            borders += _borders_of_images(stage.images)
        return Partition.by(borders, lambda point: self._labels(chr(point)))

    def _labels(self, char: str) -> tuple[Labels, ...]:
        """Return what each stage sees of a character, at the end and at the start of a text."""
        found: list[Labels] = []
        for number, stage in enumerate(self.stages):
            label = frozenset((stage.partition.label(char),))
            found.append((label, label))
            image = stage.images.get(char)
            if image is not None:
                return (*found, *self._behind(number + 1, image))
        return tuple(found)

    @cached_property
    def _found_behind(self) -> dict[tuple[int, Image], tuple[Labels, ...]]:
        return {}

    def _behind(self, number: int, image: Image) -> tuple[Labels, ...]:
        """Return what the stages from a number on see of an image."""
        key = number, image
        if key not in self._found_behind:
            found: list[Labels] = []
            lasts, firsts = image.last, image.first
            for stage in self.stages[number:]:
                found.append((stage.labels(lasts), stage.labels(firsts)))
                lasts = stage.image_of(lasts, is_last=True)
                firsts = stage.image_of(firsts, is_last=False)
            self._found_behind[key] = tuple(found)
        return self._found_behind[key]

    @cached_property
    def safe(self) -> list[list[bool]]:
        """Whether a cut is neutral, by the class of the character before it and after it."""
        rows = list(map(self._labels, self.partition.representatives))
        return [[self._is_safe(one, other) for other in rows] for one in rows]

    def _is_safe(
        self,
        one: tuple[Labels, ...],
        other: tuple[Labels, ...],
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


def _borders_of_images(images: Mapping[str, Image]) -> Iterator[int]:
    """Yield where runs of characters with the same image begin and end."""
    last, before = -1, None
    for char in sorted(images):
        point, image = ord(char), images[char]
        if point != last + 1:
            yield last + 1
            yield point
        elif image != before:
            yield point
        last, before = point, image
    yield last + 1
