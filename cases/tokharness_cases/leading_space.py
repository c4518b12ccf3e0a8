r"""White space before, between and after words, and characters that stand for a space.

Vocabularies have most words twice, with and without a leading space, so every rule about white
space moves token boundaries: a pattern that leaves one space of a run to the next word, a line
break that includes the spaces before it, a tokenizer that adds a space at the start or drops a
space at the end. Libraries disagree about white space: ``\s`` includes U+0085 and U+FEFF in some
libraries. SentencePiece writes a space as U+2581 and byte-level vocabularies as U+0120, so a text
that contains such a character may decode to a space.

All short strings over a small alphabet find faults that a sweep of single characters misses.

Source: UAX #44 (White_Space); the published split patterns of GPT-2 and its successors.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label, members
from tokharness_cases._contexts import ALL, in_contexts
from tokharness_cases._family import NO_FACTS, mixture, plural, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

WORDS = ("the", "Hello", "42", "if", "\u0434\u0430", "\u4f60\u597d", "(", "'s", "/")
STAND_INS = "\u2581\u0120\u010a\u0109\u00b7\u2423\u2420\u00b6"
"""Symbols of vocabularies and editors for a space, line feed or tab. All are ordinary letters or
symbols, and none may decode to what it stands for."""
BYTE_LETTERS = range(0x100, 0x144)
"""Letters of byte-level vocabularies for the bytes that are not printable."""
ALMOST_SPACE = "\u180e\u200b\u2060\ufeff\u2800\x1c\x1d\x1e\x1f\u200c\u00ad"
"""Not White_Space, but white space to some library."""
LINE_ENDS = ("\n", "\r", "\r\n", "\n\r", "\r\r\n", "\x85", "\u2028", "\u2029", "\x0b", "\x0c")
LONGEST_RUN = 40


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every white-space case, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    for word in WORDS:
        yield Case(word, "a word without a space")
    spaces = [chr(code_point) for code_point in members(r"\p{White_Space}")]
    for char in (*spaces, *STAND_INS, *ALMOST_SPACE):
        yield from _around_words(char)
        yield from in_contexts(char, label(char), ALL)
        for number in range(2, 6):
            yield Case(char * number, f"{number} times {label(char)}", " " * number)
    for char in map(chr, BYTE_LETTERS):
        yield Case(f"a{char} {char}", f"{label(char)}, which stands for a byte in a vocabulary")
    yield from _runs()
    yield from _line_ends()
    yield from _exhaustive("\n\r/' a1", 4)
    yield from _exhaustive("\n\r/' ", 5)
    yield from _exhaustive(" \u00a0\na", 4)
    yield from _exhaustive(" \u2581\u0120a", 4)


def _around_words(char: str) -> Iterator[Case]:
    why = label(char)
    for word in WORDS:
        yield Case(char + word, f"{why} before a word", " " + word)
        yield Case(f" {char}{word}", f"{why} between space and word", "  " + word)
        yield Case(f"{char} {word}", f"{why} before space and word", "  " + word)
        yield Case(f"{word}{char}{word}", f"{why} between words", f"{word} {word}")
        yield Case(f"{word}{char}", f"{why} after a word", word)


def _runs() -> Iterator[Case]:
    """Indentation and trailing runs of every length up to 40."""
    for number in range(1, LONGEST_RUN + 1):
        for char in " \t\n":
            run = char * number
            why = f"a run of {number} {label(char)}"
            for text in (run, f"{run}the", f"the{run}", f"the{run}end", f"\n{run}return x"):
                yield Case(text, why)
        yield Case("\r\n" * number, f"a run of {number} CR LF")
        yield Case(" " * number + "\n", f"{plural(number, 'space')} before a line feed")
        yield Case("\n" + " " * number, f"{plural(number, 'space')} after a line feed")
        yield Case("\t" * (number % 4) + " " * number + "x", "tabs, then spaces")


def _line_ends() -> Iterator[Case]:
    for first, second in product(LINE_ENDS, repeat=2):
        why = "mixed line ends"
        for text in (first + second, f"a{first}b{second}c", f"a {first} b\t{second}"):
            yield Case(text, why)


def _exhaustive(alphabet: str, longest: int) -> Iterator[Case]:
    for length in range(1, longest + 1):
        for chars in product(alphabet, repeat=length):
            yield Case("".join(chars), "a short string over a small alphabet")


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Words among random runs of white space and its stand-ins."""
    spaces = [chr(code_point) for code_point in members(r"\p{White_Space}")]
    hostile = (" ", "\n", "\t", "\r", "\r\n", *spaces, *STAND_INS, *ALMOST_SPACE)
    return mixture(hostile, ("a", "1", "/", "'", "the", *WORDS), most=8)
