"""The scripts of the letters and marks of all tokens."""

from __future__ import annotations

import string
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import regex

from tokharness.diagnosis.token_content.joined import changed_texts
from tokharness.unicode.confusables import resolved_scripts_of
from tokharness.unicode.scripts import SCRIPT_NAMES, script_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["TokenScripts"]

LETTERS = r"[\p{L}\p{M}]"
LATIN = "Latn"
NO_LETTERS = bytes({*range(0x80)} - {*string.ascii_letters.encode()})
BORDER = "\xff"
"""What stands between two ASCII texts."""

MOST_CHARACTERS = 80
"""Characters that are shown of a token."""


@dataclass(frozen=True)
class TokenScripts:
    """The texts of tokens by the scripts of their letters.

    A text that is not ASCII has a row: characters that stand for the scripts of its letters. Few
    rows are different, so that scripts are compared once for each of these.
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
        """Return a row of a table for each script: its tokens, and the one of most letters.

        The script of a token is that of most of its letters; most frequent scripts come first.
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
        """Return the script of most letters of a row; empty if they are of several or none."""
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
