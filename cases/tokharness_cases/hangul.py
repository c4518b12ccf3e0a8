"""Korean: syllables, the jamo that form them, and all other ways to write the same letters.

11,172 syllables are composed by arithmetic, not by a table, and arithmetic fails at its limits:
U+11A7 is the base of the trailing consonants but is not a trailing consonant; the jamo from U+1113,
U+1176 and U+11C3 on are old and compose with nothing; a syllable with a trailing consonant takes no
second consonant. A tokenizer that normalizes composes what macOS file names leave decomposed; a
tokenizer that does not normalize gets six or nine bytes for a syllable of three bytes, at two or
three times the cost. Compatibility and halfwidth jamo look like conjoining jamo and do not conjoin
without NFKC; the fillers are invisible letters.

Cases: syllables at every limit with their jamo, partly composed, in contexts; every jamo alone and
next to letters, digits and contractions; every string of up to four kinds of jamo; old Korean. The
twin is the composed syllable, or the text without its filler.

Source: the Unicode Standard, section 3.12; UAX #15; UAX #29 (GB6 to GB8); UCD HangulSyllableType.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import label, members
from tokharness_cases._contexts import BASIC, SENTINELS, in_contexts
from tokharness_cases._family import NO_FACTS, curated_cases, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

LEADING = tuple(map(chr, range(0x1100, 0x1113)))
VOWELS = tuple(map(chr, range(0x1161, 0x1176)))
TRAILING = tuple(map(chr, range(0x11A8, 0x11C3)))
OUTSIDE = "\u10ff\u1113\u115e\u1176\u11a7\u11c3\u11ff\u1200\ua960\ua97c\ud7b0\ud7c6\ud7cb\ud7fb"
"""Characters that do not compose: before the first jamo, after the last jamo, and old jamo."""
FILLERS = "\u115f\u1160\u3164\uffa0"
ISOLATED = r"(?!\p{Cn})[\u3131-\u318E\uFFA0-\uFFDC\u3200-\u321E\u3260-\u327F]"
CONJOINING = r"[\u1100-\u11FF\uA960-\uA97C\uD7B0-\uD7C6\uD7CB-\uD7FB]"
KINDS = ("\u1112", "\u1161", "\u11ab", "\ud558", "\ud55c", "\u3131", "a", "1", "'s")
"""L, V, T, LV, LVT, a compatibility jamo, and plain text."""
FEW = (BASIC[0], BASIC[3], BASIC[4], SENTINELS[0], SENTINELS[3], SENTINELS[4])
WORDS = ("\ud55c\uad6d\uc5b4", "\uc548\ub155\ud558\uc138\uc694", "\ub2ed \uac12", "\uac001\uac01's")


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Syllables, jamo of every kind, then strings of kinds, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("hangul")
    yield from _syllables()
    yield from _outside()
    for char in map(chr, (*members(CONJOINING), *members(ISOLATED))):
        plain = normalize("NFKC", char)
        for case in in_contexts(char, label(char), FEW):
            twin = case.text.replace(char, plain)
            yield Case(case.text, case.why, twin)
    yield from _sequences()


def _syllables() -> Iterator[Case]:
    """All syllables without trailing consonant, and syllables at the limits of the arithmetic."""
    for lead, vowel in product(LEADING, VOWELS):
        yield from _syllable(lead, vowel, "")
    for lead, vowel, tail in product(LEADING[::18], VOWELS[::20], TRAILING):
        yield from _syllable(lead, vowel, tail)
    for lead, vowel in product(LEADING, VOWELS[::20]):
        for tail in (TRAILING[0], TRAILING[-1]):
            yield from _syllable(lead, vowel, tail)


def _sequences() -> Iterator[Case]:
    """Fillers in words, every short string of kinds, and long runs of one kind."""
    for word, filler in product(WORDS, FILLERS):
        for place in range(len(word) + 1):
            yield Case(word[:place] + filler + word[place:], f"{label(filler)} in a word", word)
    for length in (1, 2, 3, 4):
        for kinds in product(KINDS[: 6 if length == 4 else None], repeat=length):
            text = "".join(kinds)
            yield Case(text, "a sequence of kinds of jamo", normalize("NFC", text))
    for number, char in product((2, 3, 8, 31, 128), (*KINDS[:6], "\uffa1", "\ua960", "\ud7b0")):
        yield Case(char * number, f"{number} consecutive jamo or syllables of one kind")


def _syllable(lead: str, vowel: str, tail: str) -> Iterator[Case]:
    """A syllable in jamo, and partly composed, which are canonically equivalent."""
    jamo = lead + vowel + tail
    whole = normalize("NFC", jamo)
    yield Case(whole, "a syllable")
    yield Case(jamo, "a syllable in jamo", whole)
    if tail:
        yield Case(normalize("NFC", lead + vowel) + tail, "a syllable, partly composed", whole)
        yield Case(whole + tail, "a syllable with an extra trailing consonant", whole)
        yield Case(
            lead + normalize("NFC", lead + vowel) + tail,
            "a syllable with an extra leading consonant",
        )
    else:
        yield Case(whole + vowel, "a syllable with an extra vowel", whole)
        yield Case(f"{jamo}'s", "a syllable in jamo before 's", f"{whole}'s")
        yield Case(f"a{jamo}1", "a syllable in jamo between a letter and a digit", f"a{whole}1")


def _outside() -> Iterator[Case]:
    """Characters just outside the arithmetic, in place of a character that composes."""
    for char in (*OUTSIDE, "\u302e", "\u302f", "\u0301", "\u200d", "\u034f", "\uac00", "\ud7a3"):
        why = f"{label(char)} in place of a jamo that composes"
        for before, after in (
            ("\uac00", ""),
            ("\uac01", ""),
            ("\u1100", ""),
            ("\u1100\u1161", ""),
            ("", "\u1161"),
            ("", "\u11a8"),
            ("\u1100", "\u1161"),
            ("\u1100\u1161", "\u11a8"),
            ("\u1112", "\u11c2"),
        ):
            yield Case(f"{before}{char}{after}", why, normalize("NFC", before + after))
    for code_point in (0xABFF, 0xAC00, 0xAC01, 0xAC1B, 0xAC1C, 0xD788, 0xD7A2, 0xD7A3, 0xD7A4):
        yield from in_contexts(chr(code_point), f"U+{code_point:04X}, a limit of the syllables")


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Jamo, syllables and fillers in any order."""
    jamo = (*LEADING[::6], *VOWELS[::7], *TRAILING[::9], "\ud7a3", "\uffa1", "\u3131")
    return mixture((*KINDS[:6], *jamo, *FILLERS, *OUTSIDE), most=6)
