"""Several languages and scripts in one sentence.

Bilingual people change the language inside a sentence and inside a word: an English verb with a
Russian ending, a Latin name in Japanese without a space, Hindi in Latin letters. Right-to-left text
holds Latin words and numbers, and Latin text holds Hebrew words. A tokenizer that splits at a
change of script, or does not, makes other tokens than the vocabulary was trained for; a tokenizer
that detects a single language for a text treats the other language as noise.

Cases: sentences; then a word for water in 28 scripts, each word next to every other, with or
without something between. There is no twin, since no plain text says the same.

Source: own sentences.
"""

from __future__ import annotations

from itertools import cycle, permutations
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness_cases._family import NO_FACTS, curated_cases, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

WATER = (
    *("water", "\u0432\u043e\u0434\u0430", "\u03bd\u03b5\u03c1\u03cc", "\u05de\u05d9\u05dd"),
    *("\u0645\u0627\u0621", "\u092a\u093e\u0928\u0940", "\u099c\u09b2"),
    *("\u0a2a\u0a3e\u0a23\u0a40", "\u0aaa\u0abe\u0aa3\u0ac0", "\u0ba8\u0bc0\u0bb0\u0bcd"),
    *("\u0c28\u0c40\u0c30\u0c41", "\u0ca8\u0cc0\u0cb0\u0cc1"),
    *("\u0d35\u0d46\u0d33\u0d4d\u0d33\u0d02", "\u0dc0\u0dad\u0dd4\u0dbb", "\u0e19\u0e49\u0e33"),
    *("\u0e99\u0ec9\u0eb3", "\u101b\u1031", "\u1791\u17b9\u1780", "\u0f46\u0f74"),
    *("\u10ec\u10e7\u10d0\u10da\u10d8", "\u057b\u0578\u0582\u0580", "\u12cd\u1203", "\u6c34"),
    *("\u307f\u305a", "\u30df\u30ba", "\ubb3c", "\u13a0\u13b9", "\u1824\u1830\u1824"),
)
"""A word for water in each script."""

BETWEEN = ("", " ", "-", "/", " (", ".", "'", "\U0001f4a7", "_", " = ", "\u3000", "1", "\u200f")
ENDINGS = ("'s", "-\u0443", "\ub97c", "\u3092", "'\u0131n", "ing", "\u7684", "\u0915\u094b", "123")
"""Endings of several languages, which speakers put on words of another language."""


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Sentences, pairs of words and words with endings of another language, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("code_switching")
    for (first, second), between in zip(permutations(WATER, 2), cycle(BETWEEN), strict=False):
        end = ")" * between.count("(")
        yield Case(f"{first}{between}{second}{end}", "words of two scripts")
    for word in WATER:
        for ending in ENDINGS:
            yield Case(word + ending, "a word with an ending of another language")
    for step in (1, 3):
        three = zip(WATER, WATER[step:] + WATER[:step], WATER[-step:] + WATER[:-step], strict=True)
        for words in three:
            yield Case("".join(words), "words of three scripts without spaces")
            yield Case(" ".join(words), "words of three scripts")


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random words of several scripts, with endings and signs between them."""
    return mixture((*WATER, *ENDINGS), ("a", *BETWEEN[1:], *WATER), most=8)
