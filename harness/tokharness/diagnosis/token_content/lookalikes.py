"""Tokens of several scripts, and tokens whose letters look like the ASCII letters of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.token_content.classes import TokenClass
from tokharness.unicode.confusables import (
    is_whole_script_confusable,
    skeleton,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.diagnosis.token_content.scripts import TokenScripts

__all__ = ["MIXED_LOOK_ALIKES", "lookalike_classes"]

MIXED_LOOK_ALIKES = "look-alikes of words in mixed scripts"
LETTERS = r"[\p{L}\p{M}]"
NO_SCRIPTS: frozenset[str] = frozenset()


def lookalike_classes(
    texts: Mapping[int, str], forms: Mapping[int, str], scripts: TokenScripts
) -> Iterator[TokenClass]:
    """Yield the tokens of several scripts, and those that look like an ASCII word, if any.

    A token looks like a word if the vocabulary has the word, of two ASCII letters or more, and both
    have the same skeleton (UTS #39). ``forms`` has the skeleton of each text.
    """
    mixed = scripts.mixed()
    alike = _look_alikes(scripts.others, texts, forms)
    rows = {
        "letters of several scripts": mixed,
        MIXED_LOOK_ALIKES: {n: text for n, text in alike.items() if n in mixed},
        "words that look like ASCII words": {
            n: text
            for n, text in alike.items()
            if n not in mixed and is_whole_script_confusable(text, "Latn")
        },
    }
    for name, tokens in rows.items():
        if tokens:
            yield TokenClass(name, tokens)


def _look_alikes(
    others: Mapping[int, str], texts: Mapping[int, str], forms: Mapping[int, str]
) -> dict[int, str]:
    """Return the tokens that are not ASCII and have the skeleton of an ASCII word."""
    suspects = {n: forms[n].strip() for n in others if forms[n].isascii()}
    looks = set(suspects.values())
    words = {
        look
        for number, look in zip(forms, map(str.strip, forms.values()), strict=True)
        if look in looks and _is_word(texts[number].strip())
    }
    return {
        number: others[number]
        for number, look in suspects.items()
        if look in words and skeleton(stripped := others[number].strip()) == look
        if len(stripped) > 1
    }


def _is_word(text: str) -> bool:
    return len(text) > 1 and text.isascii() and text.isalpha()
