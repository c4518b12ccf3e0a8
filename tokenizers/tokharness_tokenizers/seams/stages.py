"""A stage of a tokenizer between two characters: what it does with a text cut there."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from tokharness_tokenizers.seams.partition import Partition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Relation: TypeAlias = "list[list[Meeting]]"
"""What happens between two characters, by their classes."""


class Meeting(IntEnum):
    """What a stage does where a text that ends with a character meets a text that begins with one.

    NOT_KNOWN: nothing is proven. JOINED: the result is that of the two texts, joined without a
    border. CUT: the result is that of the two texts, with a border between them, so that no later
    stage sees both.
    """

    NOT_KNOWN = 0
    JOINED = 1
    CUT = 2


class NotKnownError(Exception):
    """A stage of which nothing is proven, with the reason."""


@dataclass(frozen=True, slots=True)
class Image:
    """What a stage makes of a character at the end of a text, and at its start.

    Attributes:
        last: The characters with which the result may end; None for any.
        first: The characters with which it may begin; None for any.

    """

    last: frozenset[str] | None
    first: frozenset[str] | None

    @classmethod
    def of(cls, text: str) -> Image:
        """Return the image of a character that becomes a text, whatever is around it."""
        if not text:
            return GONE
        return cls(frozenset(text[-1]), frozenset(text[0]))


GONE = Image(None, None)
"""The image of a character that is removed: what is next to it is seen."""


@dataclass(frozen=True)
class Stage:
    """A stage.

    Attributes:
        name: Its name, as people know it.
        partition: The classes of characters that it distinguishes.
        relation: What happens between two characters, by their classes.
        images: What becomes of each character that does not stay as it is.

    """

    name: str
    partition: Partition = field(repr=False)
    relation: Relation = field(repr=False)
    images: Mapping[str, Image] = field(default_factory=dict, repr=False)

    @cached_property
    def all_labels(self) -> frozenset[int]:
        """The labels of all classes."""
        return frozenset(range(self.partition.size))

    @cached_property
    def _labels_of(self) -> dict[frozenset[str], frozenset[int]]:
        return {}

    def labels(self, chars: frozenset[str] | None) -> frozenset[int]:
        """Return the classes of characters; None stands for any."""
        if chars is None:
            return self.all_labels
        found = self._labels_of.get(chars)
        if found is None:
            found = self._labels_of[chars] = frozenset(map(self.partition.label, chars))
        return found

    @cached_property
    def _images_of(self) -> dict[tuple[frozenset[str], bool], frozenset[str] | None]:
        return {}

    def image_of(self, chars: frozenset[str] | None, *, is_last: bool) -> frozenset[str] | None:
        """Return with which characters the result may end, or begin; None stands for any."""
        if chars is None:
            return None
        key = chars, is_last
        if key not in self._images_of:
            self._images_of[key] = self._image_of(chars, is_last=is_last)
        return self._images_of[key]

    def _image_of(self, chars: frozenset[str], *, is_last: bool) -> frozenset[str] | None:
        found: set[str] = set()
        for char in chars:
            image = self.images.get(char)
            if image is None:
                found.add(char)
                continue
            new = image.last if is_last else image.first
            if new is None:
                return None
            found |= new
        return frozenset(found)

    def meeting(self, lasts: Iterable[int], firsts: frozenset[int]) -> Meeting:
        """Return what happens at the worst between characters of some classes."""
        found = (self.relation[last][first] for last in lasts for first in firsts)
        return min(found, default=Meeting.NOT_KNOWN)


def relation_of(partition: Partition, meeting: Callable[[str, str], Meeting]) -> Relation:
    """Return the relation of a function of two characters that the partition decides."""
    chars = partition.representatives
    return [[meeting(last, first) for first in chars] for last in chars]


def uniform(name: str, meeting: Meeting, images: Mapping[str, Image] | None = None) -> Stage:
    """Return a stage that does the same between all characters."""
    return Stage(name, Partition([0], [0]), [[meeting]], images or {})
