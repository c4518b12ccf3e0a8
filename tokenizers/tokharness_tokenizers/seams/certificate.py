"""What is proven of the cuts of a reference, from the proofs of its stages one after another."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from tokharness_tokenizers.reference.added_tokens import AddedToken
from tokharness_tokenizers.seams.partition import Partition, Spans
from tokharness_tokenizers.seams.stages import Image, Meeting, Stage
from tokharness_tokenizers.seams.witnesses import Encode, changing_cut, examples, growing_family

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

SAFE, CHANGES, NOT_KNOWN = "safe", "changes", "not known"

ROUNDING: Final = (
    "no two segmentations of a text have sums of scores that are equal up to rounding, as 9 99 and "
    "99 9 may have: then the text before them decides"
)

NO_MARK_FIRST: Final = (
    "it does not begin with a character that the normalizer may join to the one before"
)

MOST_BYTES = 4
"""Tokens of a character that is in no longer token."""


@dataclass(frozen=True)
class Bounds:
    """How much of a text an append may change, where something is proven.

    Attributes:
        pretokens: The most pre-tokens at the end; None if not known.
        tokens: The most tokens at the end; None if not known.
        characters: The most characters at the end; None if not known.
        condition: What must hold of the appended text; "" if nothing must.
        word_tokens: The most tokens at the end of the last pre-token, while this only gets longer;
            None if not known.

    """

    pretokens: int | None = None
    tokens: int | None = None
    characters: int | None = None
    condition: str = ""
    word_tokens: int | None = None


@dataclass(frozen=True)
class Proof:
    """The stages of a reference, and what else is known of it.

    Attributes:
        encode: Makes the ids of plain text, by the reference.
        stages: The stages up to the first of which nothing is proven.
        reason: Why nothing is proven of the next stage; "" if all are.
        added: Added tokens, which are cut out before the other stages.
        bounds: What an append may change.
        assumptions: What must hold for all of this.
        changed: Gives the most tokens at the end of a word that more text changes; None if that is
            not known. It takes seconds for a large vocabulary.
        moved: The most characters by which the end of the last word moves back if text is appended;
            0 if each text is one word; None if not known.

    """

    encode: Encode = field(repr=False)
    stages: Sequence[Stage]
    reason: str = ""
    added: Sequence[AddedToken] = ()
    bounds: Bounds = Bounds()
    assumptions: Sequence[str] = ()
    changed: Callable[[], int | None] = field(default=lambda: None, repr=False)
    moved: int | None = None

    @cached_property
    def _classes(self) -> tuple[Any, list[list[bool]]]:
        if self.reason:
            return [((0, 0xD800), (0xE000, 0x110000))], [[False]]
        return Composition(self.stages).merged

    def data(self, most: int) -> dict[str, Any]:
        """Return the certificate as plain data: lists, dictionaries, texts and numbers.

        Each class has at most ``most`` examples; with none, nothing is searched for texts that
        change, and for the tokens at the end of a word.
        """
        bounds = self._bounds() if most else self.bounds
        spans, safe = self._classes
        shown = [examples(one, most) for one in spans]
        rows: list[list[str]] = []
        witnesses: list[list[Any]] = []
        for last, row in enumerate(safe):
            verdicts = []
            for first, is_safe in enumerate(row):
                pair = None if is_safe else changing_cut(shown[last], shown[first], self.encode)
                verdicts.append(SAFE if is_safe else CHANGES if pair else NOT_KNOWN)
                if pair:
                    witnesses.append([last, first, *pair])
            rows.append(verdicts)
        return {
            "stages": [stage.name for stage in self.stages],
            "reason": self.reason,
            "classes": [
                {"examples": chars, "spans": [list(span) for span in one]}
                for chars, one in zip(shown, spans, strict=True)
            ],
            "verdicts": rows,
            "witnesses": witnesses,
            "added": [_added(token) for token in self.added],
            "append": {
                **dataclasses.asdict(bounds),
                "family": self._family() if most and bounds.tokens is None else None,
            },
            "prepend": {"family": self._family(appends=False) if most else None},
            "assumptions": list(self.assumptions),
        }

    def _bounds(self) -> Bounds:
        tokens, changed = self.bounds.tokens, self.changed()
        if changed is not None and self.moved is not None:
            tokens = changed + MOST_BYTES * self.moved
        return dataclasses.replace(self.bounds, tokens=tokens, word_tokens=changed)

    def _family(self, *, appends: bool = True) -> dict[str, Any] | None:
        found = growing_family(self.encode, appends=appends)
        return None if found is None else _listed(dataclasses.asdict(found))


def _listed(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: list(one) if isinstance(one, tuple) else one for key, one in record.items()}


def _added(token: AddedToken) -> dict[str, Any]:
    names = ("single_word", "lstrip", "rstrip", "special")
    return {"text": token.content} | {name: getattr(token, name) for name in names}


def special_tokens(texts: Iterable[str]) -> list[AddedToken]:
    """Return texts as special tokens without settings."""
    return [AddedToken(text, 0, special=True) for text in texts]


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
