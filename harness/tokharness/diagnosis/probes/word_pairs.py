"""Pairs of words that are alike in one way, as a cache with a careless key takes them for one."""

from __future__ import annotations

import random
import string
from typing import TYPE_CHECKING

from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "CASE",
    "PREFIXES",
    "SAME_END",
    "SAME_ENDS_AND_LENGTH",
    "SAME_START",
    "SPACE_BEFORE",
    "Pair",
    "RandomWords",
    "pair_makers",
]

Pair = tuple[str, str]
PREFIXES = (4, 8, 16, 32, 64, 128, 256, 1024)
CASE, SPACE_BEFORE = "equal but for case", "equal but for a space at the start"
SAME_START, SAME_END = "with the same first ", "with the same last characters"
SAME_ENDS_AND_LENGTH = "with the same beginning, end and length"


class RandomWords:
    """Random words that nobody asks about by chance; the same in each run."""

    def __init__(self) -> None:
        self._draw = random.Random(109)

    def letters(self, length: int) -> str:
        """One random word of lower-case letters."""
        return "".join(self._draw.choices(string.ascii_lowercase, k=length))

    def unlike(self, length: int) -> Pair:
        """Two texts of one length with nothing in common at either end."""
        one = self.letters(length)
        return one, one.translate(str.maketrans(string.ascii_lowercase, _ROTATED))


_ROTATED = string.ascii_lowercase[1:] + "a"


def pair_makers() -> dict[str, Callable[[RandomWords], Pair]]:
    """By what they share, two texts that differ; what a careless key leaves out of account."""

    def made(
        one: Callable[[str], str], other: Callable[[str], str]
    ) -> Callable[[RandomWords], Pair]:
        def pair(words: RandomWords) -> Pair:
            word = words.letters(12)
            return one(word), other(word)

        return pair

    def begun(length: int) -> Callable[[RandomWords], Pair]:
        def pair(words: RandomWords) -> Pair:
            start = words.letters(length)
            one, other = words.unlike(6)
            return start + one, start + other

        return pair

    def ended(words: RandomWords) -> Pair:
        end = words.letters(64)
        one, other = words.unlike(6)
        return one + end, other + end

    def inside(words: RandomWords) -> Pair:
        start, end = words.letters(2000), words.letters(2000)
        return f"{start}q{end}", f"{start}z{end}"

    def same(word: str) -> str:
        return word

    return {
        CASE: made(lambda w: w.capitalize(), same),
        "equal but for a space at the end": made(lambda w: w + " ", same),
        SPACE_BEFORE: made(lambda w: " " + w, same),
        "equal but for the number of spaces": made(lambda w: f"{w} x", lambda w: f"{w}  x"),
        "equal but for the kind of white space": made(lambda w: f"{w} x", lambda w: f"{w}\tx"),
        "equal but for the kind of line end": made(lambda w: f"{w}\nx", lambda w: f"{w}\r\nx"),
        "equal but for punctuation": made(lambda w: f"{w}.", lambda w: f"{w}!"),
        "equal but for digits": made(lambda w: f"{w}1", lambda w: f"{w}2"),
        "equal but for U+200B": made(lambda w: f"{w}\u200bx", lambda w: f"{w}x"),
        "equal but for what follows U+0000": made(lambda w: f"{w}\0x", lambda w: f"{w}\0y"),
        "equal but for accents": made(lambda w: f"{w}\u00e9", lambda w: f"{w}e"),
        "equal but for other letters than ASCII": made(
            lambda w: f"{w}\u4e2d", lambda w: f"{w}\u6587"
        ),
        "equal but for the plane": made(lambda w: f"{w}\U00010400", lambda w: f"{w}\u0400"),
        "equal after NFC": made(lambda w: f"{w}\u00e9x", lambda w: normalize("NFD", f"{w}\u00e9x")),
        "equal after NFKC": made(lambda w: f"{w}\ufb01x", lambda w: f"{w}fix"),
        "equal after case folding": made(lambda w: f"{w}\u00df", lambda w: f"{w}ss"),
        "equal but for the order of letters": made(lambda w: w + "qz", lambda w: w + "zq"),
        **{f"{SAME_START}{length} characters": begun(length) for length in PREFIXES},
        SAME_END: ended,
        SAME_ENDS_AND_LENGTH: inside,
    }
