"""Pairs of words that are equal except in one way, which a bad cache key does not distinguish."""

from __future__ import annotations

import random
import string
from typing import TYPE_CHECKING

from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Callable

Pair = tuple[str, str]
PREFIXES = (4, 8, 16, 32, 64, 128, 256, 1024)
CASE, SPACE_BEFORE = "equal but for case", "equal but for a space at the start"
SAME_START, SAME_END = "with the same first ", "with the same last characters"
SAME_ENDS_AND_LENGTH = "with the same beginning, end and length"


class RandomWords:
    """Random words that occur in no other text by chance; the same words in each run."""

    def __init__(self, seed: int = 109) -> None:
        self._draw = random.Random(seed)

    def letters(self, length: int) -> str:
        """Return a random word of lowercase letters."""
        return "".join(self._draw.choices(string.ascii_lowercase, k=length))

    def unlike_pair(self, length: int) -> Pair:
        """Return two words of the same length that differ in every place."""
        word = self.letters(length)
        return word, word.translate(str.maketrans(string.ascii_lowercase, _ROTATED))


_ROTATED = string.ascii_lowercase[1:] + "a"


def pair_makers() -> dict[str, Callable[[RandomWords], Pair]]:
    """Functions that make two different words, by the relation of these words."""

    def from_word(
        first: Callable[[str], str], second: Callable[[str], str]
    ) -> Callable[[RandomWords], Pair]:
        def pair(words: RandomWords) -> Pair:
            word = words.letters(12)
            return first(word), second(word)

        return pair

    def same_start(length: int) -> Callable[[RandomWords], Pair]:
        def pair(words: RandomWords) -> Pair:
            start = words.letters(length)
            first, second = words.unlike_pair(6)
            return start + first, start + second

        return pair

    def same_end(words: RandomWords) -> Pair:
        end = words.letters(64)
        first, second = words.unlike_pair(6)
        return first + end, second + end

    def same_ends(words: RandomWords) -> Pair:
        start, end = words.letters(2000), words.letters(2000)
        return f"{start}q{end}", f"{start}z{end}"

    def unchanged(word: str) -> str:
        return word

    return {
        CASE: from_word(lambda w: w.capitalize(), unchanged),
        "equal but for a space at the end": from_word(lambda w: w + " ", unchanged),
        SPACE_BEFORE: from_word(lambda w: " " + w, unchanged),
        "equal but for the number of spaces": from_word(lambda w: f"{w} x", lambda w: f"{w}  x"),
        "equal but for the kind of white space": from_word(lambda w: f"{w} x", lambda w: f"{w}\tx"),
        "equal but for the kind of line end": from_word(lambda w: f"{w}\nx", lambda w: f"{w}\r\nx"),
        "equal but for punctuation": from_word(lambda w: f"{w}.", lambda w: f"{w}!"),
        "equal but for digits": from_word(lambda w: f"{w}1", lambda w: f"{w}2"),
        "equal but for U+200B": from_word(lambda w: f"{w}\u200bx", lambda w: f"{w}x"),
        "equal but for U+200D": from_word(lambda w: f"{w}\u200dx", lambda w: f"{w}x"),
        "equal but for U+00AD": from_word(lambda w: f"{w}\u00adx", lambda w: f"{w}x"),
        "equal but for U+FE0F": from_word(lambda w: f"{w}\ufe0fx", lambda w: f"{w}x"),
        "equal but for U+FEFF": from_word(lambda w: f"{w}\ufeffx", lambda w: f"{w}x"),
        "equal but for what follows U+0000": from_word(lambda w: f"{w}\0x", lambda w: f"{w}\0y"),
        "equal but for accents": from_word(lambda w: f"{w}\u00e9", lambda w: f"{w}e"),
        "equal but for other letters than ASCII": from_word(
            lambda w: f"{w}\u4e2d", lambda w: f"{w}\u6587"
        ),
        "equal but for the plane": from_word(lambda w: f"{w}\U00010400", lambda w: f"{w}\u0400"),
        "equal after NFC": from_word(
            lambda w: f"{w}\u00e9x", lambda w: normalize("NFD", f"{w}\u00e9x")
        ),
        "equal after NFKC": from_word(lambda w: f"{w}\ufb01x", lambda w: f"{w}fix"),
        "equal after case folding": from_word(lambda w: f"{w}\u00df", lambda w: f"{w}ss"),
        "equal but for the order of letters": from_word(lambda w: w + "qz", lambda w: w + "zq"),
        **{f"{SAME_START}{length} characters": same_start(length) for length in PREFIXES},
        SAME_END: same_end,
        SAME_ENDS_AND_LENGTH: same_ends,
    }
