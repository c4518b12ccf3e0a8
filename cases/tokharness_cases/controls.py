"""Control codes, terminal escape sequences, byte order marks, NUL, and lone CR.

All these characters are valid UTF-8, and a lossless tokenizer must return each of them. Typical
faults: a C string that ends at U+0000, a byte below 0x20 that is missing in a table of printable
characters, a normalizer that deletes the C0 codes without declaring it (SentencePiece's nmt_nfkc
does), CR replaced by LF, U+FEFF dropped at the start of a text or of each line, a C1 code read as
Windows-1252. An escape sequence in a text, or in a token, reaches the terminal of anyone who reads
the report or the log: a model's output can clear the screen, change the window title, hide a line
or request input.

The twin is the text without these characters.

Source: ECMA-48; the Unicode Standard, chapter 23 (control codes, U+FEFF); Terminal DiLLMa (2024).
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label, members
from tokharness_cases._contexts import BASIC, SENTINELS, in_contexts
from tokharness_cases._family import NO_FACTS, curated_cases, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

BOM = "\ufeff"
ESC, CSI = "\x1b", "\x9b"
INSERTED = ("\x00", BOM, "\r", "\x08", "\x7f", "\x85", "\x1a")
WORDS = ("word", "two words", "don't", "12345", "a\nb", "\u4f60\u597d", "{}", "  ")
PARAMETERS = ("", "0", "2", "31", "1;31", "38;5;196", "?25", "999")
SEQUENCES = (
    *(f"{ESC}[31m", f"{ESC}[0m", f"{ESC}[2J", f"{ESC}[1;1H", f"{ESC}\\", f"{ESC}]0;title\x07"),
    *(f"{ESC}]8;;http://a.example{ESC}\\", f"{ESC}]8;;{ESC}\\", f"{ESC}P1$r{ESC}\\"),
)
"""Complete sequences: colour, cursor, window title, the start and end of a link."""

FEW = (BASIC[0], BASIC[2], SENTINELS[0])


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every control code, pair and sequence, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("controls")
    for char in (*_controls(), BOM):
        yield from in_contexts(char, label(char), removable=True)
        yield Case(f"{char}{char}'s", f"{label(char)}, doubled before 's", "'s")
        yield Case(f"a{char}'s", f"{label(char)}, between a letter and 's", "a's")
        yield Case(f"word {char}", f"{label(char)}, after a space at the end", "word ")
    for char, word in product(INSERTED, WORDS):
        for place in range(len(word) + 1):
            text = word[:place] + char + word[place:]
            yield Case(text, f"{label(char)} in a text", word)
        yield Case(char.join(word), f"{label(char)} between all characters", word)
    yield from _sequences()
    for first, second in product(_controls(), repeat=2):
        yield Case(first + second, f"U+{ord(first):04X} and U+{ord(second):04X}")
    for case in curated_cases("controls"):
        for place in range(1, len(case.text)):
            yield Case(case.text[:place], "the beginning of a text with control codes")


def _sequences() -> Iterator[Case]:
    """Every final character of a control sequence, and every two-character escape sequence."""
    for final, parameters in product(map(chr, range(0x40, 0x7F)), PARAMETERS):
        yield Case(f"a{ESC}[{parameters}{final}b", "a control sequence in a word", "ab")
    for char in map(chr, range(0x20, 0x7F)):
        for introducer in (ESC, CSI):
            why = f"an escape sequence that ends in U+{ord(char):04X}"
            yield from in_contexts(introducer + char, why, FEW, removable=True)
    for number in range(108):
        yield Case(f"{ESC}[{number}mred{ESC}[0m", "text in a colour or style", "red")


@cache
def _controls() -> tuple[str, ...]:
    return tuple(map(chr, members(r"\p{Cc}")))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random texts with control codes, parts of escape sequences and byte order marks."""
    pieces = ("\x00", BOM, "\r", f"{ESC}[", "0m", f"{ESC}]", *SEQUENCES, *_controls())
    return mixture(pieces, most=6)
