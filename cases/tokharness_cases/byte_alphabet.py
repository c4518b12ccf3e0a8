"""Plain text with the characters that vocabularies use for a byte, a space or the end of a word.

A byte-level vocabulary writes the 256 bytes as printable letters: U+0120 is a space, U+010A a line
feed, and ``U+00C3 U+00A9`` the two bytes of one letter. SentencePiece writes a space as U+2581, and
a byte without a piece as ``<0x0A>``. WordPiece writes ``##`` before a piece inside a word,
subword-nmt writes ``@@`` after such a piece, and other formats ``</w>`` at the end of a word. All
these marks also occur in ordinary text. A decoder that replaces strings instead of tokens returns a
space, a line feed or another letter for them, or joins two words. It also decodes the letters of an
added token as bytes. Mojibake, which is UTF-8 read as Latin-1 once or several times, has the same
letters and is common in training text.

The twin is the text that such a decoder would return.

Source: GPT-2's encoder.py (bytes_to_unicode); the documentation of SentencePiece (byte_fallback,
U+2581), of BERT (WordPiece) and of subword-nmt.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label
from tokharness_cases._contexts import BASIC, SENTINELS, in_contexts
from tokharness_cases._family import NO_FACTS, curated_cases, mixture, plural, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

SPACE, LINE_FEED, LOWER_BLOCK = "\u0120\u010a\u2581"
PRINTABLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
"""Bytes that are their own letter in GPT-2's alphabet; other bytes are U+0100 onwards, in order."""
PLAIN = (
    *(" the", " a", "Hello world", "it's", " 's", "\n", "\n\n", "\r\n", "\t", "a\nb", "  x", " 42"),
    *("\u00e9", "caf\u00e9", " \u00fcber", "\u4f60\u597d", "\U0001f600", "\u0434\u0430", "\u20ac"),
    *("\u201cquoted\u201d", "\u00a0", "\ufffd", "\ufeff", "\x00", "\x7f", "\u0120"),
    *(LOWER_BLOCK, "\u200b"),
)
MARKERS = (
    *(LOWER_BLOCK, SPACE, LINE_FEED, "\u0109", "\u010d", "##", "@@", "@@ ", "</w>", "<w>", "_"),
    *("\u2423", "\u00b7", "<unk>", "<s>", "</s>", "##|", "\u2582", "\u0121", "<0x", "<n>"),
    *("\uffed", "\uff3f"),
)
WORDS = ("the", "ing", "42", "A", "'s", ".", "\u4f60", "\u00e9")
AROUND = (
    *("{0}{1}", "{1}{0}", " {0}{1}", "{0} {1}", "{1} {0}{1}", "{1}{0}{1}", "{0}{0}{1}", "{1} {0}"),
    *("{0}{1}{0}", "a {1}{0} {1}", "\n{0}{1}"),
)
FEW = (*BASIC[:4], SENTINELS[0])


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every letter for a byte, then words and whole texts in such spellings, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("byte_alphabet")
    for byte, char in enumerate(_alphabet()):
        yield from in_contexts(char, f"{label(char)}, the byte {byte:02X} in a vocabulary")
        plain = chr(byte) if byte < 0x80 else "\ufffd"
        yield Case(f"{SPACE}{char}", "two letters that stand for bytes", f" {plain}")
        yield Case(f"a{char}{SPACE}b", "letters that stand for bytes in a word", f"a{plain} b")
        for spelling in _byte_pieces(byte):
            yield from in_contexts(spelling, "a text that looks like a byte piece", FEW)
    for template, marker, word in product(AROUND, MARKERS, WORDS):
        yield Case(template.format(marker, word), "a text that looks like a marker of a vocabulary")
    for first, second in product(MARKERS, repeat=2):
        yield Case(f"a{first}{second}b", "two markers of vocabularies")
    for text in PLAIN:
        for before, after in (("", ""), ("a", "b"), ("", "'s"), (" ", ""), ("1", "2")):
            for spelling, why in _spellings(text):
                yield Case(before + spelling + after, why, before + text + after)


def _spellings(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text as each kind of vocabulary spells it."""
    data = text.encode()
    yield "".join(_alphabet()[byte] for byte in data), "a text in the letters of its bytes"
    yield "".join(f"<0x{byte:02X}>" for byte in data), "a text in byte pieces"
    yield "".join(f"<0x{byte:02X}>" for byte in data[:-1]), "a text in byte pieces, truncated"
    yield text.replace(" ", LOWER_BLOCK), "a text with U+2581 for spaces"
    yield LOWER_BLOCK + text, "a text after U+2581"
    for times in range(1, 4):
        text = text.encode().decode("latin-1")
        yield text, f"UTF-8 read as Latin-1, {plural(times, 'time')}"


def _byte_pieces(byte: int) -> tuple[str, ...]:
    """Return ``<0x0A>``, and, for a few bytes, misspellings of it."""
    piece = f"<0x{byte:02X}>"
    if byte not in (0x00, 0x0A, 0x20, 0x41, 0xC3, 0xFF):
        return (piece,)
    lower, short = piece.lower(), f"<0x{byte:X}>"
    return (piece, lower, short, piece.replace("x", "X"), f"<0x0{byte:02X}>", piece[:-1], piece[1:])


@cache
def _alphabet() -> tuple[str, ...]:
    """Return the letter for each byte."""
    others = iter(range(0x100, 0x200))
    return tuple(chr(byte if byte in PRINTABLE else next(others)) for byte in range(256))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Words among random markers, letters for bytes and byte pieces."""
    pieces = (f"<0x{byte:02X}>" for byte in range(256))
    return mixture((SPACE, LOWER_BLOCK, *MARKERS, *_alphabet(), *pieces), (" ", *WORDS), most=6)
