"""Tokens of several scripts, and tokens whose letters look like the ASCII letters of another."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

import regex

from tokharness.diagnosis.token_content.classes import TokenClass
from tokharness.unicode.confusables import (
    is_whole_script_confusable,
    resolved_scripts_of,
    skeleton,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["MIXED_LOOK_ALIKES", "lookalike_classes"]

MIXED_LOOK_ALIKES = "look-alikes of words in mixed scripts"
LETTERS = r"[\p{L}\p{M}]"
ASCII_SKELETON = {ord(char): skeleton(char) for char in string.ascii_letters}


def lookalike_classes(texts: Mapping[int, str]) -> Iterator[TokenClass]:
    """Yield the tokens of several scripts, and those that look like an ASCII word, if any.

    A token looks like a word if the vocabulary has the word, of two ASCII letters or more, and both
    have the same skeleton (UTS #39).
    """
    others = {number: text for number, text in texts.items() if not text.isascii()}
    mixed = _tokens_of_several_scripts(others)
    alike = _look_alikes(others, texts.values())
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


def _tokens_of_several_scripts(texts: Mapping[int, str]) -> dict[int, str]:
    """Return the tokens whose letters and marks have no script in common."""
    letters = regex.findall(LETTERS, "".join(_characters(texts)))
    scripts = resolved_scripts_of(letters)
    mixed = {}
    for number, text in texts.items():
        sets = {scripts[char] for char in text if char in scripts}
        if len(sets) > 1 and not frozenset.intersection(*sets):
            mixed[number] = text
    return mixed


def _look_alikes(others: Mapping[int, str], texts: Iterable[str]) -> dict[int, str]:
    """Return the tokens that are not ASCII and have the skeleton of an ASCII word."""
    similar = {char for char in _characters(others) if skeleton(char).isascii()}
    stripped = ((number, text.strip()) for number, text in others.items())
    suspects = {n: text for n, text in stripped if len(text) > 1 and similar.issuperset(text)}
    words = {text.translate(ASCII_SKELETON) for text in map(str.strip, texts) if _is_word(text)}
    return {n: others[n] for n, text in suspects.items() if skeleton(text) in words}


def _is_word(text: str) -> bool:
    return len(text) > 1 and text.isascii() and text.isalpha()


def _characters(texts: Mapping[int, str]) -> list[str]:
    return sorted(set().union(*texts.values()))
