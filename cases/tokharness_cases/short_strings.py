r"""Every string of up to six characters over alphabets of three to seven characters.

Splitters that agree on millions of random texts, and on every string of three classes, still differ
where a rule looks further: the third digit of a group, a run of spaces before a line end, two
consecutive contractions, U+017F in a contraction five characters into a word, a slash after a line
end after punctuation. Such a fault shows in a string of four to six characters over the few
characters that the rule names, so all of these strings are tried.

The alphabets come from the rules of known patterns and, if the target's own pattern is known, from
each of its alternatives, with one character of each class that it distinguishes. Strings have up to
4 characters in the quick profile, 4 to 6 in the standard profile (about 200,000 texts) and 5 to 8
in the thorough profile (about 3 million): smaller alphabets have longer strings.

Example: ``"a'\u017f"``, one pre-token under the pattern of o200k_base, two if case is not ignored.

Source: the published patterns of GPT-2, cl100k, o200k, Llama 3, Qwen 2 and DeepSeek-V3;
CaseFolding.txt.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from tokharness_cases._family import NO_FACTS
from tokharness_cases._lazy import Block, Blocks, word_blocks
from tokharness_cases._representatives import alphabets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

    from tokharness.model import Case, TargetFacts

__all__ = ["EXHAUSTIVE", "cases", "strategy", "texts"]

EXHAUSTIVE = True

DEEP = ("'sS\u017fma", " \n\r/'")
"""Alphabets on which published tokenizers differed: their strings are one character longer."""
ALPHABETS = (
    "'s1 .\na",  # one character per rule, so that every rule meets every other rule
    "A1.\t\n",
    *DEEP,
    "1 a",
    "'reRE",
    "'lLve",
    "'stda ",
    ".1,a",
    " \u00a0\u3000a",
    "a\u0301\u200d ",
    "Aa's",
    "\r\n\t a",
    "<|>a/",
    "1\u0663\u00bda",
    "\U0001f600\u200d\ufe0fa",
    "\ufeff\x85\u180e's ",
    "Aa\u01c5\u03011",
    "Aa\u4e2d\u0301",
    " .\n/a",
    "_a1 ",
    "'\u2019s ",
    "a\u3042\u4e2d1",
    "\\n'\"",
)
LONGEST = {"quick": 4, "standard": 6, "thorough": 8}
MAX_STRINGS = {"quick": 2_500, "standard": 8_000, "thorough": 80_000}
MAX_DEEP_STRINGS = {"quick": 2_500, "standard": 50_000, "thorough": 400_000}
"""Most strings of one length over one alphabet; lengths with more strings are left out."""
WORDS = ("abcdefgh", "ABCDEFGH", "Abcdefgh", "\u0430" * 8)
SUFFIXES = (
    "\u017f",
    "\u017fa",
    "\u017ft",
    "\u017f's",
    "S",
    "s",
    "\u212a",
    "L\u212a",
    "lL",
    "Re",
    "'s",
)
TAIL_LENGTH = 4


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """The strings of each alphabet, the shortest first, then contractions far into a word."""
    return _blocks(facts.pattern, facts.profile).cases()


def texts(facts: TargetFacts = NO_FACTS) -> Sequence[str]:
    """Return the texts of the cases, in their order."""
    return _blocks(facts.pattern, facts.profile)


@lru_cache(maxsize=4)
def _blocks(pattern: str | None, profile: str) -> Blocks:
    limits = {letters: _longest(letters, profile) for letters in _alphabets(pattern)}
    return Blocks((*_over_alphabets(limits), _far_into_a_word(limits)))


def _alphabets(pattern: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*ALPHABETS, *alphabets(pattern))))


def _longest(letters: str, profile: str) -> int:
    most = (MAX_DEEP_STRINGS if letters in DEEP else MAX_STRINGS)[profile]
    lengths = range(1, LONGEST[profile] + 1)
    return max(length for length in lengths if len(letters) ** length <= most)


def _over_alphabets(limits: dict[str, int]) -> Iterator[Block]:
    order = list(limits)
    for number, letters in enumerate(order):
        points = " ".join(f"U+{ord(char):04X}" for char in letters)
        for length in range(1, limits[letters] + 1):
            earlier = (alphabet for alphabet in order[:number] if limits[alphabet] >= length)
            shared = ("".join(sorted(set(alphabet) & set(letters))) for alphabet in earlier)
            excluded = frozenset(shared) - {""}
            why = f"a string of {length} of {points}"
            yield from word_blocks(letters, length, why, excluded, TAIL_LENGTH)


def _far_into_a_word(limits: dict[str, int]) -> Block:
    """Contractions, some by case folding only, 1 to 8 characters into a word."""
    texts = (
        f"{word[:place]}'{suffix}" for word, place, suffix in product(WORDS, range(1, 9), SUFFIXES)
    )
    new = (text for text in dict.fromkeys(texts) if not _is_covered(text, limits))
    return Block("", tuple(new), "a contraction, or nearly one, inside a word")


def _is_covered(text: str, limits: dict[str, int]) -> bool:
    return any(len(text) <= most and set(text) <= set(each) for each, most in limits.items())


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Longer strings over one of the alphabets."""
    from hypothesis import strategies as st

    letters = st.sampled_from(_alphabets(facts.pattern))
    return letters.flatmap(lambda chosen: st.text(chosen, min_size=1, max_size=12))
