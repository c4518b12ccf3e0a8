"""Which texts a pre-tokenizer that cuts at characters may leave within one word.

The words of these pre-tokenizers have one property: each part of a word is cut at no place if it is
a text of its own. So a text that is cut is part of no word.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.pre_tokenizers.character_pattern import ClassCutter
from tokharness_tokenizers.reference.pre_tokenizers.fixed import CharDelimiterSplit, FixedLength
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import Metaspace
from tokharness_tokenizers.reference.pre_tokenizers.unicode_scripts import UnicodeScripts
from tokharness_tokenizers.reference.pre_tokenizers.whitespace import WhitespaceSplit
from tokharness_tokenizers.reference.reach.pre_tokens import components_of

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.components import PreTokenizer

__all__ = ["MARK", "mark_of", "may_be_in_word"]

MARK: Final = "\u2581"
CLOSED = (ClassCutter, WhitespaceSplit, CharDelimiterSplit, FixedLength)


def may_be_in_word(pre_tokenizer: PreTokenizer | None, text: str) -> bool:
    """Whether a word may have a text as a part: False is a proof, True is not."""
    parts = [text]
    for component in reversed(components_of(pre_tokenizer)):
        if not all(_may_hold(component, part) for part in parts):
            return False
        if isinstance(component, Metaspace):  # its mark may stand for a space, or for nothing
            mark = component.replacement
            parts = list(filter(None, chain.from_iterable(part.split(mark) for part in parts)))
    return True


def mark_of(pre_tokenizer: PreTokenizer | None) -> str:
    """Return what a space becomes."""
    marks = (
        component.replacement
        for component in components_of(pre_tokenizer)
        if isinstance(component, Metaspace)
    )
    return next(marks, MARK)


def _may_hold(component: PreTokenizer, text: str) -> bool:
    if isinstance(component, CLOSED):
        return component.words(text) == [text]
    if isinstance(component, Metaspace):
        mark = component.replacement
        if component.split_at_replacement and mark in text[1:]:
            return False
        return mark == " " or " " not in text
    if isinstance(component, UnicodeScripts):  # it leaves out characters without a script
        return len(component.words(text)) <= 1
    return True
