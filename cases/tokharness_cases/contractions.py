"""English contractions in every spelling of the apostrophe and the letters.

The split patterns of GPT-2 and its successors split ``'s 't 're 've 'm 'll 'd`` off a word, some of
them in any letter case. Hand-written splitters get three things wrong: which apostrophes count
(only U+0027 does), that case-insensitive matching makes U+017F LATIN SMALL LETTER LONG S equal to
``s``, and how far into a word a contraction may start, an error that shows only after five
characters. A preceding character that a library treats as a letter, a space or neither (U+FEFF,
U+0085, U+180E) moves the split as well. A split shows only where a merge would cross it: after each
apostrophe stand tokens of the target's vocabulary that begin like each contraction.

Source: the published patterns r50k_base, cl100k_base, o200k_base; CaseFolding.txt.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness_cases._family import NO_FACTS, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

APOSTROPHES = "\u2019\u02bc\uff07\u2018\u00b4`"
LETTERLIKE = APOSTROPHES[:3]
"""Characters used for an apostrophe in a word: typographic, modifier letter and fullwidth."""
SUFFIXES = ("s", "t", "re", "ve", "m", "ll", "d")
OTHER_SUFFIXES = (
    *("x", "q", "em", "cause", "tis", "n", "l", "v", "r", "ss", "sd", "res", "S's", "dm", "1", ""),
    *("\u017f", "\u017fs", "s\u017f", "\u017ft", "\u212a", "L\u0131", "\u0455", "\uff53", "\u02e2"),
)
"""Suffixes that make no contraction, or only make one by case folding."""
BEFORE = ("", "a", "don", "IT", "Abcde", "1", " ", "\n", "\u0434\u0430", "\u4f60", ".", "'")
AFTER = ("", "abc", "1", " ", "'", "S")
FURTHER = ("l", "n", "y", "em", "cause")
"""Further suffixes that a pattern of another library may have."""
TOKENS_OF_A_SUFFIX, TOKENS_OF_A_TEXT = 12, 4
RUN_ON = ("sing", "table", "real", "very", "make", "llama", "day", "empty", "the", "some", "ment")
"""Words that begin like a contraction, so that merges cross a split that is missing."""
SPLIT_MOVERS = "\ufeff\x85\u180e\u00a0\u200b\u200d\u0301\u00ad\u2028\x1c_\u0345\u02bc\u1e9e\u212a"
WORDS = (
    *("don't", "DON'T", "Don'T", "we'Re", "I'M", "I'm", "it's", "IT'S", "they'd've", "y'all'd've"),
    *("rock'n'roll", "o'clock", "O'Reilly", "'twas", "'Tis", "l'\u00e9t\u00e9", "aujourd'hui"),
    *("abcde's", "abcde'\u017f", "abcdE'S", "ABCDE's", "abcde'Sf", "ain't'", "''s", "'s's's"),
    *("'\u017f", "a'\u017f", "A'\u017f", "abcdef'\u017fx", "can't've", "'S'T'RE", "x'y'z"),
)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every contraction, in a fixed order."""
    return without_duplicates(_all(facts))


def _all(facts: TargetFacts) -> Iterator[Case]:
    for word in WORDS:
        yield Case(word, "a contraction in a word")
    yield from _before_tokens(facts.tokens())
    spellings = [spelling for suffix in SUFFIXES for spelling in _spellings(suffix)]
    for spelling in spellings:
        yield from _apostrophes(spelling)
    for suffix, before, after in product(OTHER_SUFFIXES, BEFORE, AFTER):
        why = "an apostrophe and a suffix that is a contraction by case folding only, or not at all"
        yield Case(f"{before}'{suffix}{after}", why)
    yield from _run_on()
    yield from _inside_words()
    for char, suffix in product(SPLIT_MOVERS, (*SUFFIXES, "S", "\u017f")):
        for before in ("", char, "a", "abcde"):
            yield Case(
                f"{before}{char}'{suffix}", "a character before a contraction moves the split"
            )
        yield Case(f"a'{suffix}{char}", "a character after a contraction")
        yield Case(f"a'{char}{suffix}", "a character inside a contraction")
    for length in range(1, 6):
        for chars in product("'sS\u017fma", repeat=length):
            yield Case("".join(chars), "a short string over a small alphabet")
    for spelling in spellings:
        yield from _typeset(spelling, LETTERLIKE, BEFORE)


def _before_tokens(tokens: Sequence[str]) -> Iterator[Case]:
    """Contractions from which a token runs on, so that the ids show where the split is."""
    by_letter: dict[str, list[str]] = {}
    for token in sorted(filter(str.isalpha, tokens), key=len):
        by_letter.setdefault(token[0], []).append(token)
    spellings = [spelling for suffix in SUFFIXES for spelling in _spellings(suffix)]
    for spelling in (*spellings, *FURTHER):
        for place in dict.fromkeys((0, len(spelling) - 1)):
            before, start = spelling[:place], spelling[place:]
            words = [one for one in by_letter.get(start[0], ()) if one.startswith(start)]
            longer = [before + one for one in words if one != start]
            yield from _packed(longer[:: len(longer) // TOKENS_OF_A_SUFFIX + 1])


def _packed(words: Sequence[str]) -> Iterator[Case]:
    for first in range(0, len(words), TOKENS_OF_A_TEXT):
        pieces = product(words[first : first + TOKENS_OF_A_TEXT], f"'{APOSTROPHES}")
        text = " ".join(f"a{apostrophe}{word}" for word, apostrophe in pieces)
        yield Case(text, "tokens after an apostrophe that begin like a contraction")


def _spellings(suffix: str) -> Iterator[str]:
    """Return every mixture of upper and lower case."""
    return map("".join, product(*((char, char.upper()) for char in suffix)))


def _apostrophes(spelling: str) -> Iterator[Case]:
    for before, after in product(BEFORE, AFTER):
        yield Case(f"{before}'{spelling}{after}", "a contraction")
    yield from _typeset(spelling, APOSTROPHES, BEFORE[:7])


def _typeset(spelling: str, apostrophes: str, prefixes: tuple[str, ...]) -> Iterator[Case]:
    for apostrophe, before, after in product(apostrophes, prefixes, AFTER[:3]):
        text = f"{before}{apostrophe}{spelling}{after}"
        why = f"a contraction with the apostrophe U+{ord(apostrophe):04X}"
        yield Case(text, why, f"{before}'{spelling}{after}")


def _run_on() -> Iterator[Case]:
    for before, apostrophe, word in product(("a", "they", " I", ""), f"'{APOSTROPHES}", RUN_ON):
        for spelling in (word, word.upper(), word.title()):
            text = f"{before}{apostrophe}{spelling}"
            yield Case(text, "a word that begins like a contraction")


def _inside_words() -> Iterator[Case]:
    """Contractions 1 to 9 characters into a word, beyond the look-ahead of a scanner."""
    for word in ("abcdefghi", "ABCDEFGHI", "Abcdefghi", "123456789", "\u0430" * 9):
        for place, suffix in product(range(1, 10), (*SUFFIXES, "S", "Ll", "\u017f")):
            text = f"{word[:place]}'{suffix}"
            yield Case(text, f"a contraction at index {place} of a word")
            yield Case(text + word[place:], f"a contraction at index {place} of a word")


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random words around apostrophes and suffixes."""
    from hypothesis import strategies as st

    word = st.text("aAsS'1 \u017f\u0434", max_size=7)
    suffix = st.sampled_from([s for suffix in SUFFIXES for s in _spellings(suffix)])
    tail = st.one_of(suffix, st.sampled_from(OTHER_SUFFIXES))
    contraction = st.tuples(word, st.sampled_from("'" + APOSTROPHES), tail).map("".join)
    return st.tuples(st.lists(contraction, min_size=1, max_size=4).map("".join), word).map("".join)
