"""The rules of a SentencePiece model, as SentencePiece applies them: the longest match, in order.

This is the part of its ``normalizer.cc`` that reads the charsmap. What it does to spaces is not
here. No component of ``tokenizer.json`` does this (see :mod:`~.precompiled`).
"""

from __future__ import annotations

import base64
import re
from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.aligned import edited
from tokharness_tokenizers.reference.normalizers.charsmap import Charsmap
from tokharness_tokenizers.reference.normalizers.mapping import quick_class

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.aligned import Aligned, Edit

__all__ = ["LongestRules"]


@dataclass(frozen=True)
class LongestRules:
    """At each place, replace the longest text that has a rule, and go on after it."""

    precompiled_charsmap: str

    def normalize(self, text: str) -> str:
        """Return the text with all rules applied."""
        return edited(text, self._edits(text))

    def apply(self, text: Aligned) -> Aligned:
        """Apply the rules to an aligned text; a replacement has the span of all it replaces."""
        return text.edit(list(self._edits(text.text)))

    def _edits(self, text: str) -> Iterator[Edit]:
        at = 0
        while found := self._find(text, at):
            at = found.end()
            for edit in deque(self._charsmap.matches(text, found.start()), maxlen=1):
                yield edit
                at = edit[1]

    @cached_property
    def _charsmap(self) -> Charsmap:
        return Charsmap(base64.b64decode(self.precompiled_charsmap, validate=True))

    @cached_property
    def _find(self) -> Callable[[str, int], re.Match[str] | None]:
        """Return a search for the places where a rule may apply."""
        singles = quick_class(map(ord, self._charsmap.singles))
        seconds = quick_class(map(ord, self._charsmap.seconds()))
        return re.compile(f"{singles}|.(?={seconds})", re.DOTALL).search
