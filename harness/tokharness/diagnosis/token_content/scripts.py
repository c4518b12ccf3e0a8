"""The scripts of the letters and marks of all tokens."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import regex

from tokharness.diagnosis.token_content.joined import changed_texts
from tokharness.unicode.confusables import resolved_scripts_of
from tokharness.unicode.scripts import SCRIPT_NAMES, script_name

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["TokenScripts"]

LETTERS = r"[\p{L}\p{M}]"

MOST_CHARACTERS = 80
"""Characters that are shown of a token."""


@dataclass(frozen=True)
class TokenScripts:
    """The texts of tokens, and a row for each: characters that stand for the scripts of letters.

    Few rows are different, so that scripts are compared once for each of these.
    """

    texts: Mapping[int, str]

    @cached_property
    def _symbols(self) -> Mapping[str, frozenset[str]]:
        """What each character of a row stands for."""
        sets = dict.fromkeys(self._scripts.values())
        return {chr(place): own for place, own in enumerate(sets)}

    @cached_property
    def _characters(self) -> str:
        return "".join(sorted(set("".join(self.texts.values()))))

    @cached_property
    def _scripts(self) -> Mapping[str, frozenset[str]]:
        return resolved_scripts_of(regex.findall(LETTERS, self._characters))

    @cached_property
    def _rows(self) -> list[str]:
        symbols = {own: symbol for symbol, own in self._symbols.items()}
        table = dict.fromkeys(map(ord, self._characters), "")
        table |= {ord(char): symbols[own] for char, own in self._scripts.items()}
        return changed_texts(lambda text: text.translate(table), [*self.texts.values()])

    def mixed(self) -> dict[int, str]:
        """Return the tokens whose letters and marks have no script in common."""
        mixed = {
            row
            for row in set(self._rows)
            if row and not frozenset.intersection(*map(self._symbols.__getitem__, row))
        }
        rows = zip(self.texts.items(), self._rows, strict=True)
        return {number: text for (number, text), row in rows if row in mixed}

    def longest(self) -> list[dict[str, Any]]:
        """Return a row of a table for each script: its tokens, and the one of most letters.

        The script of a token is that of most of its letters; most frequent scripts come first.
        """
        numbers = dict(zip(reversed(self._rows), reversed([*self.texts]), strict=True))
        tokens: Counter[str] = Counter()
        longest: dict[str, str] = {}
        for row, count in Counter(self._rows).items():
            if script := self._main_script(row):
                tokens[script] += count
                longest[script] = max(longest.get(script, ""), row, key=len)
        return [
            {
                "script": script_name(script),
                "tokens": count,
                "longest": self.texts[numbers[longest[script]]][:MOST_CHARACTERS],
                "its id": numbers[longest[script]],
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
