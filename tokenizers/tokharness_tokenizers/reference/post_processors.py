"""The last steps for the ids of a text: a template, truncation and padding.

All post-processors that add tokens are templates here. Only texts, not pairs of texts, are encoded,
so that the template of pairs is not read.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness_tokenizers.reference.aligned import Span

Direction: TypeAlias = Literal["Left", "Right"]
Strategy: TypeAlias = Literal["LongestFirst", "OnlyFirst", "OnlySecond"]


@dataclass(frozen=True, slots=True)
class Template:
    """Tokens around a text.

    ``parts`` are ids, or None in place of the text, which may occur several times, or not at all.
    TemplateProcessing repeats the text even if no special tokens are added.
    """

    parts: tuple[tuple[int, ...] | None, ...] = (None,)

    @property
    def added(self) -> int:
        """The number of ids that the template adds."""
        return sum(len(part) for part in self.parts if part)

    @property
    def bare(self) -> Template:
        """The template without the ids that it adds."""
        return Template(tuple(part for part in self.parts if part is None))

    def apply(self, ids: list[int]) -> list[int]:
        """Return the ids of a text within the template."""
        if self.parts == (None,):
            return ids
        return [number for part in self.parts for number in (ids if part is None else part)]


@dataclass(frozen=True, slots=True)
class Truncation:
    """Ids above a length are cut off, on the right or on the left.

    The first window of the library is kept; only further windows have ids that ``stride`` repeats.
    In three respects the library departs from its documentation:

    - nothing is cut off if the template alone adds more ids than may be kept,
    - with several places for the text in a template there are more ids than may be kept,
    - a stride that is too long is an error only when a text is cut.
    """

    max_length: int
    direction: Direction = "Right"
    strategy: Strategy = "LongestFirst"
    stride: int = 0

    def apply(self, ids: Sequence[int], *, added: int) -> list[int]:
        """Return the ids that are kept so that ``added`` more fit.

        Raises:
            ValueError: the library cannot cut these ids: the strategy is to cut the second text of
                a pair, or the stride is not smaller than the number of kept ids.

        """
        kept = self.max_length - added
        if kept < 0 or len(ids) <= kept:
            return list(ids)
        if kept:
            self._check(kept)
        return list(ids[:kept] if self.direction == "Right" else ids[len(ids) - kept :])

    def _check(self, kept: int) -> None:
        if self.strategy == "OnlySecond":
            raise ValueError("the second text of a pair is to be cut, but there is only one text")
        if self.stride >= kept:
            raise ValueError(f"the stride is {self.stride}, but {kept} ids are kept")


@dataclass(frozen=True, slots=True)
class Padding:
    """Ids are padded to a length or to the longest text, and to a multiple of a number."""

    number: int
    length: int | None = None
    multiple: int | None = None
    direction: Direction = "Right"

    def apply(self, ids: list[int], *, longest: int | None = None) -> list[int]:
        """Return the ids with padding; ``longest`` is the length of the longest row of a batch."""
        length = self.length if self.length is not None else longest or len(ids)
        if self.multiple and length % self.multiple:
            length += self.multiple - length % self.multiple
        fill = [self.number] * (length - len(ids))
        return ids + fill if self.direction == "Right" else fill + ids


# The last steps for the ids of a text: truncation, template, padding.


@dataclass(frozen=True, slots=True)
class PostProcessing:
    """A template for the ids of a text, and the limits of their number.

    The ids are truncated so that the ids of the template still fit.
    """

    template: Template = field(default_factory=Template)
    truncation: Truncation | None = None
    padding: Padding | None = None

    def plain(self, ids: list[int]) -> list[int]:
        """Return the ids of a text without the ids of the template."""
        kept = ids if self.truncation is None else self.truncation.apply(ids, added=0)
        kept = self.template.bare.apply(kept)
        return kept if self.padding is None else self.padding.apply(kept)

    def plain_spans(self, spans: list[Span]) -> list[Span]:
        """Return the spans of the ids of :meth:`plain`; padding has the span (0, 0)."""
        places = list(range(1, len(spans) + 1))
        kept = places if self.truncation is None else self.truncation.apply(places, added=0)
        kept = self.template.bare.apply(kept)
        if self.padding is not None:
            kept = replace(self.padding, number=0).apply(kept)
        return [spans[place - 1] if place else (0, 0) for place in kept]

    def apply(self, ids: list[int]) -> list[int]:
        """Return the ids of a text with the ids of the template."""
        kept = ids
        if self.truncation is not None:
            kept = self.truncation.apply(ids, added=self.template.added)
        kept = self.template.apply(kept)
        return kept if self.padding is None else self.padding.apply(kept)
