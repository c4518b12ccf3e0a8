"""Reach of the subwords of subword-nmt.

Within a word, the merges that do not cross the ends of a subword are the merges of its own symbols.
So a subword that its own symbols do not become is in no word.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tokharness_tokenizers.reach.pieces import RARE, Contexts
from tokharness_tokenizers.reach.words import NO_MERGES, NO_WORD, OTHER_ID, TextSearch
from tokharness_tokenizers.reference.subword_nmt.codes import END, SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.subword_nmt import SubwordNMT


def reach_of(tokenizer: SubwordNMT) -> Callable[[int], tuple[str, str]]:
    """Return the function that looks for a text with a subword, or proves that there is none."""
    found = _Subwords(tokenizer)
    return TextSearch(tokenizer.encode, found.texts, found.reason).reach


@dataclass(frozen=True)
class _Subwords:
    tokenizer: SubwordNMT

    def texts(self, number: int) -> Iterator[str]:
        """Yield texts that may have a subword."""
        if number == self.tokenizer.unknown_id:
            yield from RARE
        written = self.tokenizer.token_text(number)
        if written.endswith(SEPARATOR):
            yield from self._contexts.around(written.removesuffix(SEPARATOR))
        yield from self._contexts.around(written, ends=True)

    def reason(self, number: int) -> str:
        """Return why no text has a subword; "" if that is not proven."""
        if number == self.tokenizer.unknown_id:
            return ""
        if number in self.tokenizer.conflicting_tokens:
            return OTHER_ID
        written = self.tokenizer.token_text(number)
        readings = {written: self._may_end(written)}
        if written.endswith(SEPARATOR):
            inside = written.removesuffix(SEPARATOR)
            readings[inside] = self._may_be_inside(inside)
        if not any(readings.values()):
            return NO_MERGES
        return "" if any(made and " " not in text for text, made in readings.items()) else NO_WORD

    def _may_end(self, subword: str) -> bool:
        """Whether a word may end with a subword."""
        symbols = [*subword, END]
        if self.tokenizer.codes.version != "0.1":
            symbols = [*subword[:-1], subword[-1:] + END]
        return self.tokenizer.codes.merged(symbols) in ([subword, END], [subword + END])

    def _may_be_inside(self, subword: str) -> bool:
        """Whether a subword may stand before other subwords of its word."""
        return self.tokenizer.codes.merged([*subword]) == [subword]

    @cached_property
    def _contexts(self) -> Contexts:
        subwords = self.tokenizer.subwords
        return Contexts([subword.removesuffix(SEPARATOR) for subword in subwords], " ")
