"""Emoji sequences: joined, with skin tones, flags, broken, truncated, and in long chains.

One visible emoji may be ten code points and thirty bytes. Byte-level vocabularies split inside it,
so a decoder that streams token by token must hold bytes back, and a program that truncates at a
token leaves half a character. Splitters that work on grapheme clusters carry a version of the emoji
data; normalizers drop variation selectors and joiners; and a sequence of any length is still one
grapheme cluster, so a limit in graphemes does not limit text.

Cases: every sequence recommended for general interchange, alone and after a word; sequences that
keyboards send without some or all of their selectors (minimally-qualified and unqualified emoji,
whose twin is the full sequence); sequences with joiners, truncated at each position; then sequences
that no font supports: odd regional indicators, tag flags of unknown regions, modifiers on bases
that take none, joiners at the ends.

Source: UTS #51 and its emoji-test.txt; UAX #29 (GB9c, GB11, GB12).
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.sequences import (
    flag_sequences,
    keycap_sequences,
    less_qualified,
    modifier_sequences,
    rgi_emoji,
    zwj_sequences,
)
from tokharness_cases._contexts import BASIC, SENTINELS, in_contexts
from tokharness_cases._disguises import to_tags
from tokharness_cases._family import NO_FACTS, mixture, plural, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

ZWJ, VS15, VS16, KEYCAP, FLAG, END_OF_TAGS = "\u200d\ufe0e\ufe0f\u20e3\U0001f3f4\U000e007f"
MODIFIERS = tuple(map(chr, range(0x1F3FB, 0x1F400)))
INDICATORS = tuple(map(chr, range(0x1F1E6, 0x1F200)))
MAN, WOMAN, GIRL, BOY = "\U0001f468\U0001f469\U0001f467\U0001f466"
BASES = (
    *("\U0001f600", "\u2764", "\U0001f44d", "\u00a9", "#", "1", "a", "\u263a", "\U0001f1e6"),
    *("\u2640", FLAG, MAN, "\U0001faea", "\u3030", "\u231a", "\u4f60", " "),
)
CONTEXTS = (BASIC[0], BASIC[3], BASIC[6], SENTINELS[0])
TAG_FLAGS = ("gbeng", "gbsct", "gbwls", "gbnir", "usca", "x", "zzzzzzzz", "GBENG", "", "gb eng")


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every recommended sequence, then truncated, then invalid sequences, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    for text in rgi_emoji():
        yield Case(text, "an emoji")
        if ZWJ not in text:
            yield Case(f"ok {text}", "an emoji after a word")
    for text, whole in less_qualified().items():
        yield Case(text, "an emoji without some or all of its selectors", whole)
    for text in (*zwj_sequences(), *keycap_sequences()):
        # Sequences with two skin tones double the number and show no further faults.
        if len(set(MODIFIERS).intersection(text)) < 2:
            yield from _truncated(text)
    for text in modifier_sequences():
        yield Case(text[::-1], "a skin tone before its emoji", text)
        yield Case(text + MODIFIERS[0], "two skin tones", text)
    yield from _flags()
    for base in BASES:
        yield from _unusual(base)
    yield from _chains()


def _truncated(text: str) -> Iterator[Case]:
    """A sequence without its end, and without one of its parts."""
    for place in range(1, len(text)):
        yield Case(text[:place], "a sequence without its end", text)
    yield Case(text[1:], "a sequence without its beginning", text)
    for joiner in (ZWJ, VS16):
        if joiner in text:
            yield Case(text.replace(joiner, ""), "a sequence without joiner or selector", text)
            doubled = text.replace(joiner, joiner * 2)
            yield Case(doubled, "a sequence with doubled joiners or selectors", text)


def _flags() -> Iterator[Case]:
    for pair in product(INDICATORS, repeat=2):
        yield Case("".join(pair), "a pair of regional indicators, flag or not")
    for text in flag_sequences():
        yield Case(text + text[:1], "a flag and half of another", text)
        yield Case(f"{text[:1]}{ZWJ}{text[1:]}", "a flag with a joiner inside", text)
        yield Case(text[:1] + text, "half of a flag before a flag", text)
    for number in range(1, 12):
        yield Case(INDICATORS[20] * number, plural(number, "regional indicator"))
    for name in TAG_FLAGS:
        yield Case(FLAG + to_tags(name) + END_OF_TAGS, "a tag flag, known or not", FLAG)
        yield Case(FLAG + to_tags(name), "a tag flag without its end", FLAG)
        yield Case("a" + to_tags(name) + END_OF_TAGS, "the tags of a flag after a letter", "a")


def _unusual(base: str) -> Iterator[Case]:
    """Suffixes of a base, whether or not the base takes them."""
    suffixes = (ZWJ, VS15, VS16, KEYCAP, *MODIFIERS, "\u0301", END_OF_TAGS, "\u20dd", "\u20e0")
    for suffix in suffixes:
        yield from in_contexts(base + suffix, "an emoji suffix on any base", CONTEXTS)
        yield Case(suffix + base, "an emoji suffix before its base", base)
    for first, second in product(suffixes, repeat=2):
        yield Case(base + first + second, "two emoji suffixes on any base", base)
    for other in BASES:
        plain = base + other
        yield Case(base + ZWJ + other, "an unusual join", plain)
        yield Case(f"{base}{VS16}{ZWJ}{other}{VS16}", "an unusual join with selectors", plain)
        yield Case(f"{base}{ZWJ}{ZWJ}{other}", "a join with two joiners", plain)


def _chains() -> Iterator[Case]:
    """Families of any size, which are one grapheme cluster each."""
    for number in (2, 3, 4, 5, 8, 16, 32, 64):
        for people in (MAN, MAN + WOMAN, MAN + WOMAN + GIRL + BOY):
            members = (people * number)[:number]
            why = f"a family of {number}"
            yield Case(ZWJ.join(members), why, members)
            yield Case(ZWJ.join(members) + ZWJ, f"{why} with a joiner at its end", members)
            coloured = [person + MODIFIERS[i % 5] for i, person in enumerate(members)]
            yield Case(ZWJ.join(coloured), f"{why} with skin tones", members)
            yield Case(members, f"{why}, not joined")


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random joins of emoji, suffixes, indicators and plain text."""
    parts = (ZWJ, VS16, VS15, KEYCAP, *MODIFIERS, INDICATORS[0], INDICATORS[20], END_OF_TAGS)
    whole = (*zwj_sequences()[::40], *flag_sequences()[::20], *keycap_sequences())
    return mixture(("\U0001f600", MAN, *parts, *BASES, *whole), ("a", " ", "1", "#"), most=8)
