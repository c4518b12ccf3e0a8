"""The texts that a normalizer may leave; a text that it never leaves is a proof.

A normalizer that changes each character independently of other characters leaves the characters
that its results for all characters have. A text in a normal form has only parts in this form (UAX
#15).
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Final

from tokharness_tokenizers.reference.normalizers.charsmap import Charsmap, LongestRules
from tokharness_tokenizers.reference.normalizers.forms import BertNormalizer, Ideographs, NormalForm
from tokharness_tokenizers.reference.normalizers.mapping import (
    CharacterMap,
    Lowercase,
    Nmt,
    StripAccents,
)
from tokharness_tokenizers.reference.normalizers.precompiled import Precompiled
from tokharness_tokenizers.reference.normalizers.replacing import Prepend, Replace, Sequence, Strip
from tokharness_tokenizers.reference.sentencepiece.normalizing import Normalizing
from tokharness_tokenizers.reference.word_ids import Cache

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.components import Normalizer

ONE_BY_ONE = (BertNormalizer, CharacterMap, Lowercase, Nmt, StripAccents)
"""Normalizers whose resulting characters depend on one character each, except for their order."""

DECOMPOSED: Final = {"NFC": "NFD", "NFD": "NFD", "NFKC": "NFKD", "NFKD": "NFKD"}
COMPOSED: Final = ("NFC", "NFKC")

RANGES: Final = (range(0xD800), range(0xE000, 0x33480), range(0xE0000, 0xE1000))
"""The code points that a normalizer changes to other code points; it keeps or removes the rest."""


@dataclass(frozen=True)
class NormalizedTexts:
    """The texts that a normalizer may leave.

    Attributes:
        normalizer: The normalizer; None if there is none.
        mark: What a space becomes behind it, so that this character is in any text.

    """

    normalizer: Normalizer | Normalizing | None
    mark: str

    def may_have(self, text: str) -> bool:
        """Whether a normalized text may have a text as a part: False is a proof, True is not."""
        if self.normalizer is None:
            return True
        if not self._absent.isdisjoint(text.replace(self.mark, "")):
            return False
        if isinstance(self._last, NormalForm):
            return self._last.normalize(text) == text
        return not self._isolates or not any(
            self.is_isolated(char) and other not in (self.mark, " ")
            for pair in pairwise(text)
            for char, other in (pair, pair[::-1])
        )

    def is_isolated(self, char: str) -> bool:
        """Whether a character is next to marks and spaces only, wherever it is in a text."""
        return self._isolates and char not in (self.mark, " ") and self._is_ideograph[char]

    @cached_property
    def _last(self) -> Normalizer | Normalizing | None:
        last = self.normalizer
        while isinstance(last, Sequence):
            last = last.normalizers[-1]
        return last

    @cached_property
    def _isolates(self) -> bool:
        return isinstance(self._last, BertNormalizer) and self._last.handle_chinese_chars

    @cached_property
    def _is_ideograph(self) -> Cache[bool]:
        return Cache(lambda char: Ideographs().normalize(char) != char)

    @cached_property
    def _absent(self) -> frozenset[str]:
        normalizer: Any = self.normalizer
        return _absent_after(normalizer)


@lru_cache(maxsize=16)
def _absent_after(normalizer: Any) -> frozenset[str]:
    """Return the characters that are in no normalized text; normalizers are frozen."""
    return _every() - _left(_every(), normalizer)


@cache
def _every() -> frozenset[str]:
    return frozenset(map(chr, chain(*RANGES)))


def _left(chars: frozenset[str], normalizer: Normalizer | Normalizing | None) -> frozenset[str]:
    """Return the characters of normalized texts of these characters, and perhaps more."""
    if isinstance(normalizer, Sequence):
        for one in normalizer.normalizers:
            chars = _left(chars, one)
        return chars
    if isinstance(normalizer, ONE_BY_ONE):
        return frozenset(normalizer.normalize("".join(chars)))
    if isinstance(normalizer, NormalForm):
        return _left_by_form(chars, normalizer)
    if isinstance(normalizer, Prepend):
        return chars.union(normalizer.prepend)
    if isinstance(normalizer, Replace):
        # A pattern may keep its matches in other places.
        replaced = {normalizer.literal} if normalizer.literal else set()
        return (chars - replaced).union(normalizer.content)
    if isinstance(normalizer, Strip):
        return chars
    if isinstance(normalizer, Precompiled):
        return _replaced(chars, Charsmap(base64.b64decode(normalizer.precompiled_charsmap)))
    normalizing = getattr(normalizer, "normalizing", normalizer)
    if isinstance(normalizing, Normalizing) and type(normalizing.rules) is LongestRules:
        rules = normalizing.rules
        kept = chars if rules.charsmap is None else _replaced(chars, rules.charsmap)
        return kept.union(*rules.verbatim, normalizing.mark) - ({" "} - {normalizing.mark})
    return _every()


def _left_by_form(chars: frozenset[str], form: NormalForm) -> frozenset[str]:
    parts = NormalForm(DECOMPOSED[form.form], form.version)
    decomposed = frozenset(parts.normalize("".join(chars)))
    if form.form not in COMPOSED:
        return decomposed
    return frozenset(
        char
        for char in _every()
        if form.normalize(char) == char and decomposed.issuperset(parts.normalize(char))
    )


def _replaced(chars: frozenset[str], charsmap: Charsmap) -> frozenset[str]:
    return (chars - charsmap.singles.keys()) | charsmap.characters
