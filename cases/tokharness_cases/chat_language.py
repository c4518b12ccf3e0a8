"""What people type in chats: faces, slang, typing mistakes, hashtags, words stretched or joined.

A vocabulary is trained on edited text, but users send much unedited text: a misspelled word costs
several tokens, a stretched word a token for every few letters, and a face of punctuation is split
wherever the pattern says. Filters are weakest here. An extra letter before a word that a classifier
watches for ("finstructions") changes its tokens, while people and models still understand the word
(TokenBreak); digits for letters, letters between full stops and words without spaces do the same.

The twin is the text as an editor would write it.

Source: own texts; HiddenLayer 2025, "TokenBreak: Bypassing Text Classification Models Through Token
Manipulation".
"""

from __future__ import annotations

from itertools import cycle, product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness_cases._disguises import interleave
from tokharness_cases._family import NO_FACTS, curated_cases, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WATCHED = ("instructions", "password", "kill", "attack", "free money", "system prompt", "bomb")
WORDS = ("so", "no", "please", "yes", "what", "good", "hello", "\u0434\u0430", "s\u00ed", "\u306d")
TYPED = ("because", "tomorrow", "definitely", "the people", "don't know", "Stra\u00dfe")
LEET = (
    str.maketrans("aeiost", "431057"),
    str.maketrans("aeiostlbg", "@3!0$7186"),
    str.maketrans("aeios", "4310z"),
)
LAUGHTER = (
    *("ha", "he", "ja", "ah", "lo", "w", "5", "k", "x", "2333", "hue", "\u0445\u0430", "\u314b"),
    *("\u314e", "\u0647", "\u54c8", "\u8349", "\u7b11", "\u0e2e\u0e48\u0e32", "\u05d7", "\u03c7"),
)
STOPS = ("!", "?", ".", "!?", "!1", "\u2026", "~", "\uff01", "\u061f", "\u2764\ufe0f", "\U0001f602")
TAGGED = (
    *(
        "love",
        "two_words",
        "CamelCase",
        "2024",
        "a1",
        "\u043c\u0438\u0440",
        "\u8349",
        "\u0e23\u0e31",
    ),
    *(
        "\u0645\u0627\u0621",
        "\u092a\u093e\u0928\u0940",
        "caf\u00e9",
        "x-y",
        "o'clock",
        "\U0001f355",
    ),
)
TAGS = (
    "#{}",
    "@{}",
    "#{} #{}",
    "\uff03{}",
    "\uff20{}",
    " @{}:",
    "#{}\u2764\ufe0f",
    "a#{}",
    "@{}'s",
)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Faces and messages, then words typed in each way, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("chat_language")
    for word in WATCHED:
        yield from _disguised(word)
    for word, times in product(WORDS, (2, 3, 4, 5, 8, 20)):
        yield Case(word + word[-1] * times, "a stretched word", word)
        yield Case(f"{word[0] * times}{word[1:]}!", "a word stretched at its start", f"{word}!")
    for unit, times in product(LAUGHTER, (2, 3, 4, 7, 12)):
        yield Case(unit * times, "laughter")
    for stop, word, times in product(STOPS, WORDS[:2], (2, 3, 5, 9)):
        yield Case(word + stop * times, "repeated marks after a word", word + stop)
    for tag, word in product(TAGS, TAGGED):
        yield Case(tag.replace("{}", word), "a hashtag or a mention")
    for word in TYPED:
        for text in _mistakes(word):
            yield Case(text, "a typing mistake", word)


def _disguised(word: str) -> Iterator[Case]:
    """A word that filters watch for, in ways that people still read."""
    for letter in LETTERS:
        yield Case(letter + word, "an extra letter before a word", word)
        yield Case(f"the {letter}{word} now", "an extra letter before a word", f"the {word} now")
    for table in LEET:
        yield Case(word.translate(table), "digits and signs for letters", word)
        yield Case(word.upper().translate(table), "digits and signs for letters", word.upper())
    for between in (" ", ".", "-", "*", "_", "  ", " . ", "/"):
        yield Case(interleave(word, between), "a word in letters", word)
    yield Case("".join(c.upper() if n % 2 else c for n, c in enumerate(word)), "mixed case", word)
    yield Case(word[::-1], "a word backwards", word)
    yield Case(word.translate(str.maketrans("", "", "aeiou")), "a word without vowels", word)


def _mistakes(word: str) -> Iterator[str]:
    """Yield a word with two letters exchanged, a letter missing or doubled, or a surplus space."""
    for place, letter in zip(range(1, len(word)), cycle(LETTERS), strict=False):
        before, after = word[:place], word[place:]
        yield word[: place - 1] + word[place] + word[place - 1] + word[place + 1 :]
        yield before + after[1:]
        yield before + after[0] + after
        yield f"{before} {after}"
        yield before + letter + after


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random words, laughter, faces, hashtags and repeated marks."""
    faces = tuple(case.text for case in curated_cases("chat_language") if "face" in case.why)
    hostile = ("ha", "#", "@", *LAUGHTER, *STOPS, "xpassword", "p4ssw0rd", "soooo", *faces)
    return mixture(hostile, ("a", " ", "\n", *WORDS, *TAGGED), most=8)
