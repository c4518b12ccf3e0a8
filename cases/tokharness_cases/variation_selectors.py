r"""Variation selectors: where they belong, where they mean nothing, and the bytes they smuggle.

260 characters select the shape of the character before them: U+FE0E and U+FE0F text or emoji,
U+FE00 to U+FE0D shapes of symbols, U+E0100 to U+E01EF variants of a Han character, U+180B to U+180D
and U+180F forms of a Mongolian letter. On any other base, or after another selector, they are
invisible, and 256 of them can encode the 256 bytes: a message of any length behind one emoji. A
tokenizer spends up to four tokens on each, counts a selector as a mark if its pattern has
``\p{M}``, and breaks emoji and names if it drops them; a normalizer that drops only some has an old
table.

Cases: every selector on four kinds of base; runs and pairs of selectors; every standardized
sequence and every emoji in text and emoji style; messages. The twin is the text without the
selectors.

Source: StandardizedVariants.txt, emoji-variation-sequences.txt; UTS #37 (ideographic variation);
Butler 2025, "Smuggling arbitrary data through an emoji".
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label, members
from tokharness.unicode.sequences import emoji_variants, rgi_emoji, standardized_variants
from tokharness_cases._contexts import BASIC, SENTINELS, in_contexts
from tokharness_cases._family import NO_FACTS, curated_cases, mixture, without_duplicates
from tokharness_cases._payloads import CARRIERS, smuggling_cases, to_selectors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

TEXT, EMOJI = "\ufe0e", "\ufe0f"
BASES = ("a", "\u845b", "\u2764", "\u1820")
"""A letter that takes no selector, then a base for each kind of selector."""
ODD_BASES = (
    *("", " ", "\n", "1", "#", "\u00e9", "e\u0301", "\u200d", "\u0301", "\u4f60", "\U0001f600"),
    *("\U0001f44d\U0001f3fd", "\U0001f1e6", "\u1000", "\u2229", "\uac00", "\U00020bb7", "\ufffd"),
)
SOME = (
    *("\ufe00", "\ufe01", "\ufe0d", TEXT, EMOJI, "\U000e0100", "\U000e0101", "\U000e01ef"),
    *("\u180b", "\u180c", "\u180d", "\u180f"),
)
HAN = ("\u4e00", "\u845b", "\u8fbb", "\u9089", "\u908a", "\u9f8d", "\u3402", "\U00020000")
MONGOLIAN = (*map(chr, range(0x1820, 0x1843)), "\u1880", "\u1887", "\u18a6")
RUNS = (2, 3, 4, 8, 16, 32, 100)
FEW = (*BASIC[:4], SENTINELS[0], SENTINELS[3])


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Selectors on any base, runs of selectors, then messages, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("variation_selectors")
    for char, base in product(_selectors(), BASES):
        yield Case(base + char, label(char), base)
    for char in SOME:
        yield from in_contexts(char, label(char), removable=True)
        for base in (*BASES, *ODD_BASES):
            for context in FEW:
                text = context.around(base + char)
                yield Case(
                    text, f"{label(char)} on another base, {context.name}", context.around(base)
                )
        for base, number in product(BASES, RUNS):
            yield Case(base + char * number, f"{number} times {label(char)}", base)
    for first, second, base in product(SOME, SOME, BASES):
        yield Case(base + first + second, "two consecutive selectors", base)
        yield Case(f"{base}{first}{base}{second}'s", "two selectors in a word", f"{base * 2}'s")
    yield from _standard_uses()
    yield from smuggling_cases("variation selectors", lambda text: to_selectors(text.encode()))
    for carrier in CARRIERS:
        # Bytes that are not text, including the bytes of the other kind of selector.
        for data in (
            bytes(range(256)),
            b"\x00" * 16,
            b"\x7fELF\x00",
            bytes(range(12, 20)),
            b"\x0f\x10",
        ):
            yield Case(carrier + to_selectors(data), "bytes in variation selectors", carrier)


def _standard_uses() -> Iterator[Case]:
    """Selectors where they belong, on emoji, symbols, Han, Mongolian, and one letter further."""
    for text in standardized_variants():
        yield Case(text, "a standardized variation sequence", text[0])
    for text in emoji_variants():
        yield Case(text, "an emoji in text or emoji style", text[0])
    for char in (text for text in rgi_emoji() if len(text) == 1 or text[1:] == EMOJI):
        for selector in (TEXT, EMOJI):
            yield Case(char[0] + selector, "an emoji with a selector", char[0])
        yield Case(f"a{char[0]}{TEXT}{EMOJI}", "an emoji with both selectors", f"a{char[0]}")
    for char, number in product(HAN, range(0xE0100, 0xE0120)):
        yield Case(char + chr(number), "an ideographic variation, registered or not", char)
        yield Case(f"{char}{chr(number)}{char}", "an ideographic variation in a word", char * 2)
    for char, selector in product(MONGOLIAN, ("\u180b", "\u180c", "\u180d", "\u180f")):
        yield Case(char + selector, "a Mongolian letter with a selector", char)
        text = f"\u182a{char}{selector}\u1828"
        yield Case(text, "a Mongolian letter with a selector in a word", f"\u182a{char}\u1828")


@cache
def _selectors() -> tuple[str, ...]:
    return tuple(map(chr, members(r"\p{Variation_Selector}")))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Bases of every kind with random selectors after them."""
    return mixture((EMOJI, *SOME, *_selectors()), (*BASES, *ODD_BASES[1:], *CARRIERS[1:]), most=8)
