r"""Lone surrogates, reversed pairs, and pairs as two code units: text that UTF-8 cannot encode.

A Python or JavaScript string may hold half of a pair: a text cut in the middle of an emoji, JSON
with one ``\ud83d``. A tokenizer may refuse a surrogate, or replace it by U+FFFD, and must document
this. It must not panic, hang, change the text around it, or behave differently at each entry point.
A proper pair written as two code units is one character in most languages and two here.

Every text has surrogates; among the other families, only *invalid-utf8* and the sweep have
surrogates.

Source: the Unicode Standard, chapter 3 (D71 to D77); WTF-8.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness_cases._contexts import in_contexts
from tokharness_cases._family import NO_FACTS, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

HIGH = (0xD800, 0xDB7F, 0xDB80, 0xDBFF, 0xD83D, 0xD835)
LOW = (0xDC00, 0xDFFF, 0xDE00, 0xDC80, 0xDCFF)
"""The ends of each range, private-use halves, halves of common emoji, Python's surrogateescape."""
STEP = 16
PLAIN = ("", "a", " ", "the word ", "\U0001f600", "\ufffd", "\u00e9", "\u4f60", "\n", "\x00")


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every surrogate case, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    for code_unit in HIGH + LOW:
        yield from in_contexts(chr(code_unit), _why(code_unit))
        for before, after in product(PLAIN, repeat=2):
            text = f"{before}{chr(code_unit)}{after}"
            yield Case(text, f"{_why(code_unit)} between plain texts", f"{before}\ufffd{after}")
    for code_unit in range(0xD800, 0xE000, STEP):
        yield Case(chr(code_unit), _why(code_unit))
        yield Case(f"a{chr(code_unit)}b", f"{_why(code_unit)} between letters", "a\ufffdb")
    for high, low in product(HIGH, LOW):
        yield from _pair(chr(high), chr(low), _joined(high, low))


def _pair(high: str, low: str, joined: str) -> Iterator[Case]:
    pair = high + low
    for before, after in (("", ""), ("a", "b"), ("", "'s"), (" ", "")):
        yield Case(f"{before}{pair}{after}", "a pair as two code units", f"{before}{joined}{after}")
        yield Case(f"{before}{low}{high}{after}", "a reversed pair")
    yield Case(high + pair, "a high surrogate before a pair", "\ufffd" + joined)
    yield Case(pair + low, "a low surrogate after a pair", joined + "\ufffd")
    yield Case(pair + pair, "two pairs as code units", joined * 2)
    yield Case(f"{high} {low}", "a pair split by a space", "\ufffd \ufffd")
    yield Case(f"{high}\u200d{low}", "a pair split by a joiner")
    yield Case(f"{joined}{low}", "a character before a low surrogate", joined + "\ufffd")


def _joined(high: int, low: int) -> str:
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


def _why(code_unit: int) -> str:
    kind = "high" if code_unit < 0xDC00 else "low"
    return f"a lone {kind} surrogate U+{code_unit:04X}"


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random texts with at least one surrogate."""
    halves = tuple(map(chr, (*HIGH, *LOW, *range(0xD800, 0xE000, STEP))))
    return mixture(halves, ("a", " ", "1", "\U0001f600", "\ufffd", "'s", "\u00e9"))
