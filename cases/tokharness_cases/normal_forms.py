"""Composed and decomposed text: every character that a normal form changes, and mark order.

Four normal forms write one text in up to four ways. A lossless tokenizer keeps them distinct and
returns each; a normalizing tokenizer must apply the form that it declares, at the Unicode version
that it declares, and idempotently. Typical faults are in composition exclusions, in the order of
marks, in Hangul, which is composed by arithmetic, in singletons (ANGSTROM SIGN), in the few
characters that outgrow any buffer (U+FDFA becomes 18 characters, U+1D160 three times its bytes),
and in compositions newer than the library's tables.

Cases: every character of the normal forms alone and in a word, except Hangul, whose 11,172
syllables occur alone. Every sequence that has a name in the UCD and no code point, since no normal
form composes it, such as U+0105 with U+0301. Vietnamese tones on either of two vowels. Stacks of
marks out of order; the family ``mark-orders`` has every mark. Among spellings of one text, the
composed spelling is the twin of the decomposed spelling, and the plain spelling is the twin of the
compatible spelling.

Source: UAX #15 and its NormalizationTest.txt; NamedSequences.txt; Unicode Standard, section 3.12
(conjoining jamo); Stream-Safe limit of 30 marks; the old and the new style of Vietnamese tone
marks.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations, product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.normalization import FORMS, normalize
from tokharness.unicode.properties import label, members
from tokharness.unicode.sequences import named_sequences
from tokharness_cases._contexts import SENTINELS, in_contexts
from tokharness_cases._family import NO_FACTS, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

FIRST_SYLLABLE, LAST_SYLLABLE, FINALS = 0xAC00, 0xD7A3, 28
LEADING = "\u1100\u1112\u115f\ua960"
VOWEL = "\u1161\u1175\u1160\ud7b0"
FINAL = "\u11a8\u11c2\u11a7\ud7cb"
MARKS = "\u0301\u0323\u0308\u0327\u0345\u034f\u3099\u05b0\u093c\u094d\u1dce\U0001d165"
"""Marks of many combining classes; U+034F has class 0 and holds its neighbours in place."""
STACKS = (2, 5, 29, 30, 31, 32, 64, 200)
"""The Stream-Safe Text Format ends a stack at 30."""
HARD = (
    *("\ufdfa", "\U0001d160", "\u0390", "\u1f82", "\u212b", "\u2126", "\u0344", "\u0958", "\u2adc"),
    *("\u1e9b\u0323", "\u0f73", "\u0f75", "\u0f81", "\u0fb2\u0f71\u0f80", "\ufb1d"),
    *("\u0340", "\u0374", "\u1112\u1161\u11ab"),
    *("\u0cca\u0cd5", "\u0dd9\u0dca\u200d", "\u09c7\u0334\u09be", "\u03d3"),
    *("\U000105d2\u0307", "\U00011131\U00011127", "\U000113c2\U000113c2", "\U00016d67\U00016d67"),
    *("\U00016121\U0001611f", "\U00011382\U000113c9", "\U0001d15e\u0301", "\U0002f868"),
    *("caf\u00e9", "cafe\u0301", "\u00c5ngstr\u00f6m", "A\u030angstro\u0308m", "\u0439"),
    *("Vi\u1ec7t", "Vie\u0323\u0302t", "Vie\u0302\u0323t", "\u0438\u0306", "\u304c"),
    *("re\u0301sume\u0301", "\u017f", "\u1e9e"),
    *("\u304b\u3099", "\uff76\uff9e", "\ufb01n", "\u2460", "1\u2044\u2082", "\u01c4"),
)

RHYMES, TONES = ("oa", "oe", "uy"), "\u0300\u0301\u0309\u0303\u0323"


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every character that a normal form changes, and its forms, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    for text in HARD:
        yield from _forms(text, "a hard case of normalization")
        yield from in_contexts(text, "a hard case of normalization", SENTINELS)
    for char in _changed():
        why = label(char)
        yield from _forms(char, why)
        yield Case(f"x{char}y", f"{why}, in a word", f"x{normalize('NFKC', char)}y")
    for name, text in named_sequences().items():
        yield from _forms(text, f"the named sequence {name}")
    yield from _hangul()
    yield from _vietnamese()
    yield from _marks()


def _forms(text: str, why: str) -> Iterator[Case]:
    """Yield a text and its forms; the twin is NFC if canonically equivalent, else NFKC."""
    composed, compatible = normalize("NFC", text), normalize("NFKC", text)
    yield Case(text, why, composed if composed != text else compatible)
    for form, twin in zip(FORMS, (composed, composed, compatible, compatible), strict=True):
        spelled = normalize(form, text)
        if form == "NFC" or spelled != twin:
            yield Case(spelled, f"{form} of {why}", twin)


@cache
def _changed() -> tuple[str, ...]:
    """Return every character that NFKD, and so any form, changes, without Hangul syllables."""
    code_points = members(
        r"(?!\p{Hangul_Syllable_Type=LV}|\p{Hangul_Syllable_Type=LVT})\p{NFKD_QC=No}"
    )
    return tuple(map(chr, code_points))


def _hangul() -> Iterator[Case]:
    for code_point in range(FIRST_SYLLABLE, LAST_SYLLABLE + 1):
        syllable = chr(code_point)
        number = code_point - FIRST_SYLLABLE
        yield Case(syllable, "a Hangul syllable")
        # Every LV syllable, and an LVT syllable whose final changes from syllable to syllable.
        if number % FINALS in {0, number // FINALS % FINALS}:
            yield Case(normalize("NFD", syllable), "a Hangul syllable in jamo", syllable)
    why = "jamo that may not compose"
    for jamo in product(LEADING, VOWEL, FINAL):
        yield Case("".join(jamo), why)
        yield Case("".join(reversed(jamo)), why)
    for syllable, final in product("\uac00\uac01\ud7a3", FINAL + VOWEL + LEADING):
        yield Case(syllable + final, why, normalize("NFC", syllable + final))


def _vietnamese() -> Iterator[Case]:
    """Both positions of a tone: two spellings in use, which no normal form unifies."""
    for rhyme, tone, start in product(RHYMES, TONES, ("", "h", "th", "kh")):
        old = normalize("NFC", f"{start}{rhyme[0]}{tone}{rhyme[1]}")
        new = normalize("NFC", f"{start}{rhyme}{tone}")
        yield Case(new, "a Vietnamese tone on the second vowel", old)
        yield Case(f"{old} {new}n", "both positions of a Vietnamese tone")


def _marks() -> Iterator[Case]:
    for base, count in product(("a", "\u00e9", "\u0915", " ", ""), (2, 3)):
        for marks in permutations(MARKS[: 6 if count == 3 else None], count):
            text = base + "".join(marks)
            yield Case(text, "marks out of canonical order", normalize("NFC", text))
    for mark, number in product("\u0301\u0323\u0488\u05b0\u0e49\U0001d165", STACKS):
        stack = "a" + mark * number
        yield Case(stack, f"{number} marks on one base", "a")
        yield Case(f"{stack}\u034f{mark}b", f"{number} marks, a joiner, and another mark", "ab")
        mixed = "a" + (mark + "\u0327") * (number // 2)
        yield Case(mixed, f"{number} alternating marks of two classes", normalize("NFC", mixed))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random texts of bases, marks, jamo and characters that a normal form changes."""
    hostile = ("\u0301", "\u00e9", *MARKS, *HARD, *LEADING, *VOWEL, *FINAL, "\uac00", *_changed())
    return mixture(hostile, ("a", "e", " ", "A", "i", "\u0915", "'s", "1"), most=6)
