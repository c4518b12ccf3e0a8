"""Tokens of several scripts, and tokens whose letters look like another token's ASCII letters."""

from __future__ import annotations

import string
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import regex

from tokharness.diagnosis.token_content.classes import TokenClass
from tokharness.diagnosis.token_content.texts import changed_texts
from tokharness.unicode.confusables import is_whole_script_confusable, resolved_scripts_of, skeleton
from tokharness.unicode.properties import SCRIPT_NAMES, script_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# The scripts of the letters and marks of all tokens.

LETTERS = r"[\p{L}\p{M}]"
LATIN = "Latn"
NO_LETTERS = bytes({*range(0x80)} - {*string.ascii_letters.encode()})
BORDER = "\xff"
"""Separator of two ASCII texts."""

MOST_CHARACTERS = 80
"""Characters of a token that are shown."""


@dataclass(frozen=True)
class TokenScripts:
    """The texts of tokens by the scripts of their letters.

    A text that is not ASCII has a row: characters that stand for the scripts of its letters. Few
    rows are distinct, so scripts are compared once per distinct row.
    """

    texts: Mapping[int, str]

    @cached_property
    def others(self) -> Mapping[int, str]:
        """The texts that are not ASCII."""
        return {number: text for number, text in self.texts.items() if not text.isascii()}

    @cached_property
    def _scripts(self) -> Mapping[str, frozenset[str]]:
        characters = "".join(sorted(set("".join(self.others.values()))))
        return resolved_scripts_of(regex.findall(LETTERS, characters))

    @cached_property
    def _symbols(self) -> Mapping[str, frozenset[str]]:
        """What each character of a row stands for."""
        sets = dict.fromkeys(self._scripts.values())
        return {chr(place): own for place, own in enumerate(sets)}

    @cached_property
    def _rows(self) -> list[str]:
        symbols = {own: symbol for symbol, own in self._symbols.items()}
        table = dict.fromkeys(map(ord, set("".join(self.others.values()))), "")
        table |= {ord(char): symbols[own] for char, own in self._scripts.items()}
        return changed_texts(lambda text: text.translate(table), [*self.others.values()])

    def mixed(self) -> dict[int, str]:
        """Return the tokens whose letters and marks have no script in common."""
        mixed = {
            row
            for row in set(self._rows)
            if row and not frozenset.intersection(*map(self._symbols.__getitem__, row))
        }
        rows = zip(self.others.items(), self._rows, strict=True)
        return {number: text for (number, text), row in rows if row in mixed}

    def longest(self) -> list[dict[str, Any]]:
        """Return a row of a table for each script: its tokens, and the token with the most letters.

        The script of most letters of a token is its script; the most frequent scripts come first.
        """
        tokens: Counter[str] = Counter()
        longest: dict[str, tuple[int, int]] = {}  # letters, and the negative id
        numbers = dict(zip(reversed(self._rows), reversed([*self.others]), strict=True))
        for row, count in Counter(self._rows).items():
            if script := self._main_script(row):
                tokens[script] += count
                longest[script] = max(longest.get(script, (0, 0)), (len(row), -numbers[row]))
        ascii_texts = {n: text for n, text in self.texts.items() if text.isascii()}
        letters = dict(zip(ascii_texts, _letters([*ascii_texts.values()]), strict=True))
        if count := sum(map(bool, letters.values())):
            tokens[LATIN] += count
            most = max(letters, key=letters.__getitem__)
            longest[LATIN] = max(longest.get(LATIN, (0, 0)), (letters[most], -most))
        return [
            {
                "script": script_name(script),
                "tokens": count,
                "longest": self.texts[-longest[script][1]][:MOST_CHARACTERS],
                "its id": -longest[script][1],
            }
            for script, count in tokens.most_common()
        ]

    def _main_script(self, row: str) -> str:
        """Return the script of most letters of a row; empty if each letter has several or none."""
        counts: Counter[str] = Counter()
        for symbol, count in Counter(row).items():
            codes = self._symbols[symbol] & SCRIPT_NAMES.keys()
            if len(codes) == 1:
                counts[min(codes)] += count
        return counts.most_common(1)[0][0] if counts else ""


def _letters(texts: Sequence[str]) -> list[int]:
    """Return the number of letters of each of some ASCII texts."""
    if not texts:
        return []
    letters = BORDER.join(texts).encode("latin-1").translate(None, NO_LETTERS)
    return list(map(len, letters.split(BORDER.encode("latin-1"))))


MIXED_LOOK_ALIKES = "look-alikes of words in mixed scripts"


def lookalike_classes(
    texts: Mapping[int, str], forms: Mapping[int, str], scripts: TokenScripts
) -> Iterator[TokenClass]:
    """Yield the tokens of several scripts, and the tokens that look like an ASCII word, if any.

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
