"""Conjuncts: consonants that a virama joins into one shape.

In most scripts of India and Southeast Asia a *virama* between two consonants joins them: three code
points and nine or more bytes that are one letter to a reader. ZERO WIDTH JOINER and NON-JOINER in a
conjunct select the shape, and in Sinhala, Malayalam or Marathi a different word, so dropping them
changes the text. Byte-level merges split inside a conjunct; splitters that treat marks as
punctuation split before the virama; a splitter by grapheme clusters changes with its Unicode
version, since clusters include conjuncts only since 15.1.

Cases: every consonant with the linkers of its script, before and after, with either joiner in
either position; nuktas, doubled linkers, linkers with nothing to link; the scripts whose virama
only removes the vowel; repha, eyelash ra, chillu, Khmer and Myanmar subscripts, Sinhala touching
letters; signs out of the stored order; ASCII typed for dandas and visargas. The twin is the text
without the joiner, or with the stored order and the right characters, if there is such a text.

Source: UAX #29 (GB9c) and InCB; the Unicode Standard, chapters 12, 13 and 16; UAX #44 (ccc 7, 9).
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label, members, script
from tokharness_cases._contexts import BASIC, SENTINELS, in_contexts
from tokharness_cases._family import NO_FACTS, curated_cases, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

ZWJ, ZWNJ = "\u200d", "\u200c"
JOINERS = (ZWJ, ZWNJ)
SHARED_BY = {"\u1cf5": "Deva", "\u1cf6": "Deva"}
"""Linkers shared by scripts, and the script in which they are used here."""
CONTEXTS = (*BASIC[3:6], SENTINELS[0], SENTINELS[3], SENTINELS[4])
FEW = (BASIC[0], BASIC[2], BASIC[3], SENTINELS[0], SENTINELS[4])
MARK_BEFORE_LINKER = "\u0301\u093c\ufe0f"
LETTERS = r"(?![\p{sc=Hani}\p{sc=Hang}\p{sc=Tang}\p{sc=Egyp}\p{sc=Yiii}])\p{Lo}"
"""Letters of scripts that may have a virama, without the largest scripts, which have none."""

MARKS = r"[\p{ccc=7}\p{ccc=9}]"
"""Nuktas and viramas."""

OTHERS = ("a", "1", "\u4e2d", "\u0915", "'", " ")


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Curated words, then every consonant with the linkers of its script, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("indic_conjuncts")
    consonants = _by_script(r"\p{InCB=Consonant}")
    for linker in map(chr, members(r"\p{InCB=Linker}")):
        own = consonants[SHARED_BY.get(linker, script(linker))]
        yield from _linked(own, linker)
        yield from _broken(own[0], linker)
    letters = _by_script(f"(?={LETTERS})[{_scripts_of(MARKS)}]")
    for virama in map(chr, members(r"(?!\p{InCB=Linker})\p{ccc=9}")):
        yield from _linked(letters[script(virama)][:6:5], virama)
        yield from _broken(letters[script(virama)][0], virama)
    for nukta in map(chr, members(r"\p{ccc=7}")):
        yield from _with_nukta(letters.get(script(nukta), ("\u0915",))[0], nukta)


def _scripts_of(expression: str) -> str:
    """Return an expression for the scripts of the members of an expression."""
    scripts = {script(chr(point)) for point in members(expression)}
    return "".join(rf"\p{{sc={code}}}" for code in sorted(scripts))


@cache
def _by_script(expression: str) -> Mapping[str, tuple[str, ...]]:
    by_script: dict[str, list[str]] = {}
    for char in map(chr, members(expression)):
        by_script.setdefault(script(char), []).append(char)
    return {code: tuple(chars) for code, chars in by_script.items()}


def _linked(consonants: tuple[str, ...], linker: str) -> Iterator[Case]:
    """Each consonant before and after the first consonant, joined in every way."""
    first = consonants[0]
    for char in consonants:
        yield Case(f"{char}{linker}{first}", "a conjunct", char + first)
        for joiner in JOINERS:
            why = f"a conjunct with {label(joiner)}"
            plain = f"{first}{linker}{char}"
            yield Case(f"{first}{linker}{joiner}{char}", f"{why} after the linker", plain)
            yield Case(f"{first}{joiner}{linker}{char}", f"{why} before the linker", plain)
    last = consonants[-1]
    conjunct = f"{first}{linker}{last}"
    for joiner in ("", *JOINERS):
        text = f"{first}{linker}{joiner}{last}"
        yield from in_contexts(text, f"a conjunct of {script(first)}", CONTEXTS)
    for number in (3, 4, 32):
        chain = linker.join((first, last)[n % 2] for n in range(number))
        yield Case(chain, f"{number} consonants in one conjunct", chain.replace(linker, ""))
    for joiner in JOINERS:
        yield Case(joiner + conjunct, "a joiner before a conjunct", conjunct)
        yield Case(conjunct + joiner, "a joiner after a conjunct", conjunct)
        yield Case(f"{first}{linker}{joiner}", "a half form at the end", first + linker)


def _broken(consonant: str, linker: str) -> Iterator[Case]:
    """A linker with nothing, too much, or a foreign character to link."""
    yield from in_contexts(linker, f"{label(linker)} with nothing to link", FEW, removable=True)
    plain = consonant * 2
    for number in (2, 3):
        doubled = f"{consonant}{linker * number}{consonant}"
        yield Case(doubled, f"{number} consecutive linkers", plain)
    for inside in (*JOINERS, "\u034f", "\u200b"):
        why = f"{label(inside)} between two linkers"
        yield Case(f"{consonant}{linker}{inside}{linker}{consonant}", why, plain)
    for first, second in product(JOINERS, repeat=2):
        text = f"{consonant}{linker}{first}{second}{consonant}"
        yield Case(text, "two joiners after a linker", consonant + linker + consonant)
    for mark in MARK_BEFORE_LINKER:
        why = f"{label(mark)} around a linker"
        linked = consonant + linker + consonant
        yield Case(f"{consonant}{mark}{linker}{consonant}", why, linked)
        yield Case(f"{consonant}{linker}{mark}{consonant}", why, linked)
    for other in OTHERS:
        yield Case(
            f"{consonant}{linker}{other}", "a linker before a foreign character", consonant + other
        )
        yield Case(
            f"{other}{linker}{consonant}", "a linker after a foreign character", other + consonant
        )


def _with_nukta(letter: str, nukta: str) -> Iterator[Case]:
    """A consonant with its nukta, in and outside a conjunct, with the marks in either order."""
    virama = next((chr(p) for p in members(r"\p{ccc=9}") if script(chr(p)) == script(letter)), "")
    for text in (
        f"{letter}{nukta}",
        f"{letter}{nukta}{virama}{letter}",
        f"{letter}{virama}{nukta}{letter}",
        f"{letter}{virama}{letter}{nukta}",
        f"{letter}{nukta}{virama}{ZWJ}{letter}{nukta}",
        f"{letter}{nukta * 2}",
        f"{nukta}{letter}'s",
    ):
        yield Case(text, f"{label(nukta)} on a consonant", text.replace(nukta, ""))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Consonants, linkers, joiners and nuktas of several scripts in any order."""
    linkers = tuple(map(chr, members(r"\p{ccc=9}")))
    consonants = tuple(
        char for chars in _by_script(r"\p{InCB=Consonant}").values() for char in chars[:2]
    )
    # Joiners belong after a linker, so they often follow a linker.
    joined = tuple(linker + joiner for linker in linkers for joiner in JOINERS)
    common = ("\u0915", "\u094d", "\u0937", "\u0930", "\u093c", "\u093f")
    return mixture((*common, *JOINERS, *linkers, *joined, *consonants), most=7)
