"""Bits encoded in invisible characters: eight characters per byte, messages of any length.

Two invisible characters form a binary alphabet, four encode two bits each: U+2062 and U+2064 in the
probes called sneaky bits, U+200B and U+200C with U+200D between bytes in published watermarks. A
tokenizer that keeps them spends a token or more per bit, so a line that looks empty costs
thousands; a tokenizer that drops only one character of the pair breaks text that is not a message;
merges of runs of U+200B or U+200C split the message inside a byte. Detectors search for runs of
eight or more, so the cases have runs of seven, eight and nine, and messages with one bit after each
visible letter, which have no runs.

The twin is the visible text.

Source: the sneaky bits of garak and of Rehberger 2025; zero-width steganography as published.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness_cases._family import NO_FACTS, curated_cases, plural, without_duplicates
from tokharness_cases._payloads import CARRIERS, MESSAGES, smuggling_cases, to_bits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

PAIRS = (
    *("\u2062\u2064", "\u200b\u200c", "\u200c\u200d", "\u2060\ufeff", "\u200b\u200d"),
    *("\u200b\ufeff", "\u200e\u200f", "\u2061\u2063", "\u00ad\u034f", "\u3164\uffa0"),
)
BYTES_IN_FULL = PAIRS[:2]
FOURS = ("\u200b\u200c\u200d\ufeff", "\u2061\u2062\u2063\u2064", "\u200c\u200d\u2060\u180e")
SEPARATORS = ("\u200d", "\ufeff", "\u2060", " ", "\n")
RUNS = (1, 2, 3, 4, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 64)
CONTEXTS = (("", ""), ("a", ""), ("", "a"), ("a", "b"), ("a ", " b"), ("word", "'s"), ("1", "2"))
COVERS = ("password", "Hello world", "The quick brown fox jumps", "a1b2c3d4e5")


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Runs of every length, messages, every byte, scattered bits, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("invisible_bits")
    for pair in PAIRS:
        for number, (before, after) in product(RUNS, CONTEXTS):
            for unit in (*pair, pair, pair[::-1]):
                run = (unit * number)[:number]
                yield Case(before + run + after, plural(number, "invisible bit"), before + after)
    for pair in PAIRS[:5]:
        yield from smuggling_cases("invisible bits", partial(_hidden, pair))
    for pair, byte in product(BYTES_IN_FULL, range(256)):
        hidden = to_bits(bytes([byte]), *pair)
        yield Case(hidden, f"the byte {byte:02X} in invisible bits")
        yield Case(f"a{hidden}b", f"the byte {byte:02X} in invisible bits, in a word", "ab")
    for four, byte in product(FOURS, range(256)):
        why = f"the byte {byte:02X} in four invisible digits"
        yield Case(f"a{_two_bits_each(byte, four)}b", why, "ab")
    for pair, message in product(PAIRS, MESSAGES):
        yield from _scattered(pair, message)


def _scattered(pair: str, message: str) -> Iterator[Case]:
    """A message with separators between its bytes, and with its bits among visible letters."""
    data = message.encode()
    for separator in SEPARATORS:
        text = separator.join(to_bits(bytes([byte]), *pair) for byte in data[:4])
        plain = separator * (len(data[:4]) - 1) if separator.isspace() else ""
        yield Case(f"a{text}b", "bytes in invisible bits, separated", f"a{plain}b")
    hidden = to_bits(data, *pair)
    for cover in COVERS:
        woven = "".join(map("".join, zip(cover, hidden, strict=False)))
        yield Case(woven, "one invisible bit after each letter", cover[: len(hidden)])
    yield Case(f"Hello{hidden[:-1]}", "invisible bits that end inside a byte", "Hello")


def _hidden(pair: str, text: str) -> str:
    return to_bits(text.encode(), *pair)


def _two_bits_each(byte: int, four: str) -> str:
    """Encode two bits per character, the highest bits first."""
    return "".join(four[byte >> shift & 3] for shift in (6, 4, 2, 0))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random bytes as bits of a random pair, after a carrier and before plain text."""
    from hypothesis import strategies as st

    data = st.binary(min_size=1, max_size=8)
    hidden = st.builds(lambda pair, data: to_bits(data, *pair), st.sampled_from(PAIRS), data)
    parts = (st.sampled_from(CARRIERS), hidden, st.sampled_from(("", "b", " b", "'s", "1")))
    return st.tuples(*parts).map("".join)
