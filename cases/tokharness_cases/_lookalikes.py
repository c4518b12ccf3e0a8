"""What resembles a special text without being it, and what is left when one is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Case
from tokharness.unicode.properties import label
from tokharness_cases._disguises import (
    MATH_STYLES,
    beyond_ascii,
    compatible,
    fullwidth,
    interleaved,
    mathematical,
    replaced_once,
    tagged,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["INSERTED", "broken", "lookalikes"]

INSERTED = (
    *("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u034f", "\u180e", "\ufe0f"),
    *("\u202e", "\u2066", "\u0301", "\u0338", "\x00", "\x08", " ", "\u00a0", "\n", "\u3164"),
    *("\U000e0041", "\ufffd", "\u0345"),
)
"""What is put inside a special text; dropping it gives the special text back."""
EVERYWHERE = INSERTED[0]
DELIMITERS = "<|>[]/_"
ESCAPES: tuple[tuple[str, dict[str, str]], ...] = (
    ("HTML entities", {"<": "&lt;", ">": "&gt;", "|": "&vert;", "[": "&lsqb;", "]": "&rsqb;"}),
    ("decimal entities", {char: f"&#{ord(char)};" for char in DELIMITERS}),
    ("hexadecimal entities", {char: f"&#x{ord(char):x};" for char in DELIMITERS}),
    ("URL escapes", {char: f"%{ord(char):02X}" for char in DELIMITERS}),
    ("JSON escapes", {char: f"\\u{ord(char):04x}" for char in DELIMITERS}),
    ("C escapes", {char: f"\\x{ord(char):02x}" for char in DELIMITERS}),
    ("backslashes", {char: f"\\{char}" for char in DELIMITERS}),
)


def lookalikes(token: str, inserted: Sequence[str] = INSERTED) -> Iterator[Case]:
    """The special text rewritten; the twin is the special text."""
    for text, why in (*_written(token), *_replaced(token), *_inserted(token, inserted)):
        yield Case(text, f"a special token {why}", token)


def _written(token: str) -> Iterator[tuple[str, str]]:
    yield token.upper(), "in upper case"
    yield token.lower(), "in lower case"
    yield token.swapcase(), "with its case swapped"
    yield token.title(), "in title case"
    yield fullwidth(token), "in fullwidth forms"
    yield fullwidth(token[0]) + token[1:-1] + fullwidth(token[-1]), "in fullwidth delimiters"
    yield token[0] + fullwidth(token[1:-1]) + token[-1], "in fullwidth forms within"
    yield tagged(token), "in tag characters"
    yield f"Hello{tagged(token)}", "in tag characters after a word"
    yield f"\U0001f3f4{tagged(token)}\U000e007f", "in tag characters in a flag"
    for style in MATH_STYLES:
        yield mathematical(token, style), f"in mathematical {style}"
    for how, table in ESCAPES:
        yield "".join(table.get(char, char) for char in token), f"in {how}"
    yield token[::-1], "backwards"
    yield f"\u202e{token[::-1]}\u202c", "backwards, shown forwards"
    yield token.replace("\u2581", " ").replace("\uff5c", "|"), "in ASCII"
    yield token.replace(" ", "\u2581").replace("_", "\u2581"), "with U+2581 for its spaces"


def _replaced(token: str) -> Iterator[tuple[str, str]]:
    for text in replaced_once(token, 2):
        yield text, "with one confusable"
    yield "".join((*beyond_ascii(char), char)[0] for char in token), "in confusables"
    for delimiter in dict.fromkeys(char for char in token if char in DELIMITERS):
        for other in compatible(delimiter):
            why = f"with {label(other)} for {delimiter}"
            yield token.replace(delimiter, other, 1), why
            yield token.replace(delimiter, other), f"{why} throughout"


def _inserted(token: str, inserted: Sequence[str]) -> Iterator[tuple[str, str]]:
    for place in range(1, len(token)):
        yield token[:place] + EVERYWHERE + token[place:], f"with {label(EVERYWHERE)} in it"
    for char in inserted:
        why = f"with {label(char)}"
        for place in sorted({1, 2, len(token) // 2, len(token) - 1}):
            yield token[:place] + char + token[place:], f"{why} in it"
        yield interleaved(token, char), f"{why} between all characters"
        yield char + token, f"{why} before it"
        yield token + char, f"{why} after it"
    yield f"{token[:2]} {token[2:-2]} {token[-2:]}", "with spaces within its delimiters"
    yield token.replace("_", " "), "with spaces for low lines"


def broken(token: str) -> Iterator[Case]:
    """Beginnings, ends, and a special text inside itself, which a filter run once puts together."""
    for place in range(1, len(token)):
        yield Case(token[:place], "the beginning of a special token", token)
        yield Case(token[place:], "the end of a special token", token)
        nested = token[:place] + token + token[place:]
        yield Case(nested, "a special token inside itself", token)
    for text in (
        token[:2] + token + token[-2:],
        token[:1] + token + token[-1:],
        token[:-1] + token,
        token + token[1:],
        token[:-1] + token[-1] * 2,
        token[0] * 2 + token[1:],
        token[0] + token[2:],
        token[:-2] + token[-1],
    ):
        yield Case(text, "a special token with delimiters doubled or missing", token)
