"""Sentences of a hundred languages, with the punctuation of each language.

People end a sentence with a danda, an Ethiopic full stop or nothing at all, put a mark before a
question too, ask inside a word (Armenian), quote with low, raised, pointed or square marks, and
write Thai, Khmer, Tibetan, Chinese and Japanese without spaces. A split pattern that was made for
English takes such a mark for a letter, or two sentences for one word; a normalizer writes typeset
marks in ASCII without declaring it, and a table of punctuation lacks the newer scripts.

Cases: the sentences, alone, in other quotation marks and followed by another sentence; then every
character with the property Terminal_Punctuation, Quotation_Mark or Dash after and between words of
its script. The twin of a typeset text is the text as a typewriter writes it.

Source: own sentences; PropList.txt; the quotation marks of CLDR's languages.
"""

from __future__ import annotations

from functools import cache
from itertools import cycle, pairwise
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label, members, script
from tokharness_cases._family import NO_FACTS, curated_cases, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

QUOTES = (
    *("\u201c\u201d", "\u2018\u2019", "\u201e\u201c", "\u201e\u201d", "\u00ab\u00bb"),
    *("\u00bb\u00ab", "\u2039\u203a", "\u300c\u300d", "\u300e\u300f", "\u300a\u300b"),
    *("\u3008\u3009", "\uff02\uff02", "\u301d\u301f", "\u275d\u275e", "\u201d\u201d"),
)
ENDS = ("\u2026", "...", "!?", "?!", "!!!", "\u203d", "\u2047", "\u3002", "\uff01", ";", ":)")
MARKS = r"[\p{Terminal_Punctuation}\p{Quotation_Mark}\p{Dash}]"
SHORT = 16
"""Longest sentence, in characters, that is put into quotation marks or before another sentence."""


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Sentences, then every punctuation mark, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("sentences")
    short = [case for case in curated_cases("sentences") if len(case.text) <= SHORT]
    for case, quotes in zip(short, cycle(QUOTES), strict=False):
        text = case.text
        yield Case(f"{quotes[0]}{text}{quotes[1]}", f"{case.why}, quoted", f'"{text}"')
        yield Case(f" {text}\n", f"{case.why}, on a line of its own")
    for first, second in pairwise(short):
        yield Case(first.text + second.text, f"{first.why}, before another language")
        yield Case(f"{first.text} {second.text}", f"{first.why}, before another language")
    for word, end in zip(cycle(_words().values()), ENDS * 6, strict=False):
        yield Case(word + end, "a word and an end of a sentence")
    yield from _marks()


def _marks() -> Iterator[Case]:
    """Every punctuation mark, next to words of its script, or of each script in turn."""
    words = _words()
    others = cycle(words.values())
    for mark in map(chr, members(MARKS)):
        word = words.get(script(mark)) or next(others)
        yield Case(word + mark, f"{label(mark)}, after a word")
        yield Case(f"{word}{mark} {word}", f"{label(mark)}, between words")


@cache
def _words() -> dict[str, str]:
    """Return the first word of the sentences in each script."""
    marks = "".join(map(chr, members(MARKS)))
    words: dict[str, str] = {}
    for case in curated_cases("sentences"):
        for word in case.text.split():
            letters = word.strip(marks)
            if letters and letters[0].isalpha():
                words.setdefault(script(letters[0]), letters)
    return words


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random words of sentences between random punctuation marks."""
    marks = (*map(chr, members(MARKS)), *ENDS, *QUOTES)
    return mixture(marks, ("a", " ", "\n", *_words().values()), most=8)
