"""What happens to the ids of a text last: cut off, put into a template, filled up."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.post_processors import Template

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.aligned import Span
    from tokharness_tokenizers.reference.post_processors import Padding, Truncation

__all__ = ["PostProcessing"]


@dataclass(frozen=True, slots=True)
class PostProcessing:
    """A template for the ids of a text, and their most and fewest number.

    The ids are cut off so that those of the template still fit.
    """

    template: Template = field(default_factory=Template)
    truncation: Truncation | None = None
    padding: Padding | None = None

    def plain(self, ids: list[int]) -> list[int]:
        """Return the ids of a text without those of the template."""
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
        """Return the ids of a text with those of the template."""
        kept = ids
        if self.truncation is not None:
            kept = self.truncation.apply(ids, added=self.template.added)
        kept = self.template.apply(kept)
        return kept if self.padding is None else self.padding.apply(kept)
