"""Letters whose upper, lower or folded form is longer, shared or context-dependent.

A lowercasing tokenizer maps text before it splits, and its offsets are wrong from the first letter
whose form is longer than the letter: U+0130 becomes two characters, U+023A and U+023E one byte
more, a ligature folds into three letters. Case-insensitive patterns match more than is obvious:
U+017F is an ``s``, U+212A a ``k``. Turkish pairs other letters, and the final sigma of a Greek word
differs from other sigmas.

The twin is the text with the letter's folded form, if folding changes it.

Source: CaseFolding.txt, SpecialCasing.txt; UAX #44 (Changes_When_Casefolded).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label, members
from tokharness.unicode.versions import VERSIONS, changed
from tokharness_cases._contexts import BASIC, SENTINELS, in_contexts
from tokharness_cases._family import NO_FACTS, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

OLDEST_PYTHON = "14.0"
"""Unicode version of ``str`` in Python 3.11, whose methods map case here."""
CONTEXTS = (BASIC[0], BASIC[3], BASIC[6], *SENTINELS)
CASED = r"\p{Changes_When_Casemapped}"
HARD = "\u0130\u0131\u017f\u212a\u212b\u1e9e\u00df\u023a\u023e\u03c2\u03a3\u0149\u01f0\u0345\ufb03"
WORDS = (
    *("Stra\u00dfe", "STRASSE", "STRA\u1e9eE", "\u0130stanbul", "istanbul", "I\u0307stanbul"),
    *("\u039f\u0394\u039f\u03a3", "\u03bf\u03b4\u03cc\u03c2", "\u03a3\u03a3\u03a3", "a\u03a3"),
    *("e\ufb03cient", "\ufb01x", "\u212aelvin", "\u01c4ep", "\u01c5ep"),
    *("\u13a0\uab70", "\u10a0\u2d00\u1c90", "\u03a3.\u03a3", "\u017ft"),
    *("\u1f88\u0399", "\u1fb3", "\u0587", "DI\u0307", "i\u0307\u0301", "j\u030c"),
)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Irregular letters in context, then words, then every letter that folds, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    for char in (*HARD, *_unequal()):
        yield from in_contexts(char, label(char), CONTEXTS)
        yield Case(f"ab{char}cd ef", f"{label(char)}, before words", f"ab{char.casefold()}cd ef")
        yield Case(f"{char * 3} x", f"{label(char)}, three times", f"{char.casefold() * 3} x")
    for word in WORDS:
        why = "a word with irregular case"
        for text in (word, word.upper(), word.lower(), word.title(), f" {word}", f"{word}'s"):
            yield Case(text, why, text.casefold())
    for char in _folding():
        yield Case(char, label(char), char.casefold())


@cache
def _folding() -> tuple[str, ...]:
    return _old(r"\p{Changes_When_Casefolded}")


@cache
def _unequal() -> tuple[str, ...]:
    """Return letters with a form whose length differs, in characters or in bytes."""
    letters = _old(CASED)
    return tuple(c for c in letters if c not in _paired_later() and len(_lengths(c)) > 1)


def _old(expression: str) -> tuple[str, ...]:
    """Return members whose case every supported Python knows, so that the cases are the same."""
    newer = _newer()
    return tuple(chr(point) for point in members(expression) if point not in newer)


@cache
def _newer() -> frozenset[int]:
    return frozenset(changed(OLDEST_PYTHON, VERSIONS[-1]))


@cache
def _paired_later() -> frozenset[str]:
    """Return old letters whose other case is newer, such as U+0264 with U+A7CB.

    Only newer Pythons map their case. Folding is not affected: by the stability policy the folding
    of an old letter never changes.
    """
    cased = _newer().intersection(members(CASED))
    either_case = members(rf"(?={CASED})(?i:[{''.join(map(chr, sorted(cased)))}])")
    return frozenset(map(chr, either_case))


def _lengths(char: str) -> set[tuple[int, int]]:
    forms = (char, char.lower(), char.upper(), char.casefold())
    return {(len(form), len(form.encode())) for form in forms}


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random texts with letters of irregular case."""
    return mixture((*HARD, *WORDS, *_unequal()), most=6)
