"""The rules of a SentencePiece model, as SentencePiece applies them: the longest match, in order.

This is the part of its ``normalizer.cc`` that reads the charsmap and copies user-defined pieces.
What it does to spaces is in :mod:`..sentencepiece.normalizing`. No component of ``tokenizer.json``
does this (see :mod:`~.precompiled`).
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.aligned import edited
from tokharness_tokenizers.reference.normalizers.mapping import quick_class

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.aligned import Aligned, Edit
    from tokharness_tokenizers.reference.normalizers.charsmap import Charsmap

__all__ = ["LongestRules"]


@dataclass(frozen=True)
class LongestRules:
    """At each place, replace the longest text that has a rule, and go on after it.

    Attributes:
        charsmap: The rules; None if there are none.
        verbatim: Texts that are kept as they are, the longest first; they precede the rules.

    """

    charsmap: Charsmap | None = field(repr=False)
    verbatim: tuple[str, ...] = ()

    def normalize(self, text: str) -> str:
        """Return the text with all rules applied."""
        edits = self.edits(text)
        return edited(text, edits) if self._find(text, 0) else text

    def apply(self, text: Aligned) -> Aligned:
        """Apply the rules to an aligned text; a replacement has the span of all it replaces."""
        return text.edit(list(self.edits(text.text)))

    def edits(self, text: str) -> Iterator[Edit]:
        """Yield the replacements; a verbatim text replaces itself."""
        at = 0
        while found := self._find(text, at):
            at = found.end()
            if found.lastindex or self.charsmap is None:
                yield (*found.span(), found.group())
                continue
            for edit in deque(self.charsmap.matches(text, found.start()), maxlen=1):
                yield edit
                at = edit[1]

    @cached_property
    def _find(self) -> Callable[[str, int], re.Match[str] | None]:
        """Return a search for the places where a rule may apply, or a verbatim text stands."""
        longest_first = sorted(self.verbatim, key=lambda text: (-len(text), text))
        kept = "|".join(map(re.escape, longest_first)) or "(?!)"
        if self.charsmap is None:
            return re.compile(f"({kept})").search
        singles = quick_class(map(ord, self.charsmap.singles))
        seconds = quick_class(map(ord, self.charsmap.seconds()))
        return re.compile(f"({kept})|{singles}|.(?={seconds})", re.DOTALL).search
