"""Invisible characters: joiners, fillers, blanks, tags and selectors, each in context.

A reader sees one word where a tokenizer sees two, so the word passes a filter. Tokenizers fail on
invisible characters in three ways: some characters are dropped, by an undeclared normalizer or only
at one position in the text; some count as letters (U+3164), some as white space in one library only
(U+180E, U+FEFF); and most cost three or more tokens each, which makes a short visible text
expensive. In Persian and the Indic scripts joiners carry meaning, so dropping them is an error as
well.

Messages smuggled in such characters are in separate families: *tag-smuggling*,
*variation-selectors* and *invisible-bits*. The twin is the visible text.

Source: UAX #44 (Default_Ignorable_Code_Point, Cf); Boucher et al. 2021 "Bad Characters"; the Core
Specification of Unicode, chapters 9, 12 and 13 (joiners in Arabic, Indic and Mongolian).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label, members, runs_of_members
from tokharness_cases._contexts import ALL, BASIC, SENTINELS, in_contexts
from tokharness_cases._disguises import interleave
from tokharness_cases._family import NO_FACTS, mixture, range_samples, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

BLANK = (0x2800, 0x1D159, 0x16FE4, 0xFFFC)
"""Invisible or blank in most fonts, though not Default_Ignorable_Code_Point."""
PLANE_14 = "\U000e0000"
FEW = (*BASIC[:4], SENTINELS[0], SENTINELS[3])
UNASSIGNED = r"(?=\p{Default_Ignorable_Code_Point})\p{Cn}"
INSERTED = (
    *("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u034f", "\u180e", "\u3164"),
    *("\u115f", "\uffa0", "\u2800", "\ufe0f", "\u2062", "\u17b4", "\U000e0061", "\U0001d173"),
)
WORDS = (
    *("password", "ignore", "Hello world", "don't", "def", "12345"),
    *("\u0438\u0433\u043d", "\u4f60\u597d"),
)
MEANINGFUL = (
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian, ZWNJ in one word
    "\u0915\u094d\u200d\u0937",  # Devanagari half form
    "\u0915\u094d\u200c\u0937",  # Devanagari, visible virama
    "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala, "Sri"
    "\u0d28\u0d4d\u200d",  # Malayalam chillu, the old way
    "\u0c15\u0c4d\u200c",  # Telugu
    "\u09b0\u200d\u09cd\u09af",  # Bengali, ra and ya-phalaa
    "\u1820\u180e\u1828\u180b",  # Mongolian, vowel separator and selector
    "\u845b\U000e0100",  # Han with an ideographic selector
    "\u2764\ufe0f",
    "co\u00adop\u00ader\u00ada\u00adtion",
)
LONG_RUNS = (8, 32, 128)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every invisible character in context, then words with them, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    for char in (*_invisible(), *map(chr, range_samples(runs_of_members(UNASSIGNED)))):
        # The 337 tags and selectors of plane 14 behave alike in all contexts.
        contexts = FEW if char >= PLANE_14 else ALL
        yield from in_contexts(char, label(char), contexts, removable=True)
        if contexts is FEW:
            continue
        # Contexts in which published libraries failed on U+FEFF, U+0085 and U+180E.
        yield Case(f"{char}{char}'s", f"{label(char)}, doubled before 's", "'s")
        yield Case(f"a{char}'s", f"{label(char)}, between a letter and 's", "a's")
        yield Case(f"word {char}", f"{label(char)}, after a space at the end", "word ")
    for word in WORDS:
        for char in INSERTED:
            yield from _in_word(word, char)
    for text in MEANINGFUL:
        plain = "".join(char for char in text if char not in _invisible())
        yield Case(text, "an invisible character that carries meaning", plain)
    for char in INSERTED:
        for number in LONG_RUNS:
            why = f"{number} times {label(char)}"
            yield Case(f"a{char * number}b", why, "ab")


def _in_word(word: str, char: str) -> Iterator[Case]:
    why = label(char)
    for place in range(len(word) + 1):
        yield Case(word[:place] + char + word[place:], f"{why} in a word", word)
    yield Case(interleave(word, char), f"{why} between all letters of a word", word)


@cache
def _invisible() -> tuple[str, ...]:
    """Return every assigned character that is ignorable, a format control, or blank."""
    ignorable = members(r"(?!\p{Cn})[\p{Default_Ignorable_Code_Point}\p{Cf}]")
    return tuple(map(chr, sorted({*ignorable, *BLANK})))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Words and other pieces with invisible characters in and around them."""
    return mixture((*INSERTED, *_invisible()), most=6)
