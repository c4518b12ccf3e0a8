"""The pre-tokenizer Split: split a text at the matches of a pattern."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.pre_tokenizers.behaviors import split_spans
from tokharness_tokenizers.reference.pre_tokenizers.cutting import Cutter

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.aligned import Span
    from tokharness_tokenizers.reference.pre_tokenizers.behaviors import Behavior
    from tokharness_tokenizers.reference.searching import Find, Pieces

__all__ = ["Split"]


@dataclass(frozen=True, slots=True)
class Split(Cutter):
    """Split a text at matches, which the behavior keeps, removes or joins.

    ``isolated`` returns faster what the behavior Isolated does with the same matches.
    """

    find: Find
    behavior: Behavior = "Isolated"
    invert: bool = False
    isolated: Pieces | None = None

    def words(self, text: str) -> list[str]:
        """Return the pre-tokens of a text."""
        # Isolated keeps all parts, whether or not they are matches.
        if self.isolated is not None and self.behavior == "Isolated":
            return self.isolated(text)
        return [text[start:end] for start, end in self.spans(text)]

    def spans(self, text: str) -> list[Span]:
        """Return the place of each of these pre-tokens."""
        return split_spans(len(text), self.find(text), self.behavior, invert=self.invert)
