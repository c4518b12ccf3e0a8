"""The rules of a SentencePiece model, as SentencePiece applies them: the longest match, in order.

This is the part of its ``normalizer.cc`` that reads the charsmap and copies user-defined pieces.
Its treatment of spaces is in :mod:`..sentencepiece.normalizing`. No component of ``tokenizer.json``
does this (see :mod:`~.precompiled`).
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.normalizers.mapping import CharacterMap, quick_class

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.aligned import Aligned, Edit
    from tokharness_tokenizers.reference.normalizers.charsmap import Charsmap


@dataclass(frozen=True)
class LongestRules:
    """At each place, replace the longest text that has a rule, and continue after it.

    Attributes:
        charsmap: The rules; None without rules.
        verbatim: Texts that are kept as they are, the longest first; they precede the rules.

    """

    charsmap: Charsmap | None = field(repr=False)
    verbatim: tuple[str, ...] = ()

    def normalize(self, text: str) -> str:
        """Return the text with all rules applied.

        Text outside the rules for several characters is looked up character by character.
        """
        if self.charsmap is None:
            return text
        if self._ascii is not None and text.isascii():
            return text.translate(self._ascii)
        single = self._singles.normalize
        parts: list[str] = []
        at = place = 0
        while found := self._joined(text, place):
            start, place = found.span()
            new = found.group()
            if not found.lastindex:
                edit = self._match(text, start) if text[start : start + 2] in self._pairs else None
                if edit is None or edit[1] == start + 1:
                    continue
                _, place, new = edit
            parts += (single(text[at:start]), new)
            at = place
        return single(text) if at == 0 else "".join((*parts, single(text[at:])))

    def apply(self, text: Aligned) -> Aligned:
        """Apply the rules to an aligned text; a replacement has the span of the replaced text."""
        return text.edit(list(self.edits(text.text)))

    def edits(self, text: str) -> Iterator[Edit]:
        """Yield the replacements; a verbatim text replaces itself."""
        at = 0
        while found := self._find(text, at):
            at = found.end()
            if found.lastindex:
                yield (*found.span(), found.group())
            elif edit := self._match(text, found.start()):
                yield edit
                at = edit[1]

    def _match(self, text: str, start: int) -> Edit | None:
        """Return the longest text that has a rule at a place, with its replacement."""
        matches = () if self.charsmap is None else self.charsmap.matches(text, start)
        return next(iter(deque(matches, maxlen=1)), None)

    @cached_property
    def _find(self) -> Callable[[str, int], re.Match[str] | None]:
        """Return a search for the places where a rule may apply, or a verbatim text stands."""
        if self.charsmap is None:
            return re.compile(f"({self._kept})").search
        singles = quick_class(map(ord, self.charsmap.singles))
        return re.compile(f"({self._kept})|{singles}|{self._pair}", re.DOTALL).search

    @cached_property
    def _joined(self) -> Callable[[str, int], re.Match[str] | None]:
        """Return a search for verbatim texts, and for places of rules for several characters."""
        return re.compile(f"({self._kept})|{self._pair}").search

    @cached_property
    def _kept(self) -> str:
        longest_first = sorted(self.verbatim, key=lambda text: (-len(text), text))
        return "|".join(map(re.escape, longest_first)) or "(?!)"

    @cached_property
    def _pairs(self) -> frozenset[str]:
        return frozenset() if self.charsmap is None else self.charsmap.pairs()

    @cached_property
    def _pair(self) -> str:
        """A pattern for a character that may begin a rule for several characters."""
        if not self._pairs:
            return "(?!)"
        firsts, seconds = ({pair[at] for pair in self._pairs} for at in (0, 1))
        return f"{quick_class(map(ord, firsts))}(?={quick_class(map(ord, seconds))})"

    @cached_property
    def _singles(self) -> CharacterMap:
        singles = {} if self.charsmap is None else self.charsmap.singles
        return CharacterMap(lambda char: singles.get(char, char), map(ord, singles))

    @cached_property
    def _ascii(self) -> dict[int, str] | None:
        """The replacements of ASCII characters; None if rules for several of them may apply."""
        if self.charsmap is None or self.verbatim or any(pair[1].isascii() for pair in self._pairs):
            return None
        singles = self.charsmap.singles
        return {ord(char): new for char, new in singles.items() if char.isascii()}
