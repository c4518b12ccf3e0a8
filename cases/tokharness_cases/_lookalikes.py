"""What resembles a special text without being it, and what is left when one is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

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
from tokharness_cases._escapes import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["INSERTED", "broken", "lookalikes", "written"]

INSERTED = (
    *("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u034f", "\u180e", "\ufe0f"),
    *("\u202e", "\u2066", "\u0301", "\u0338", "\x00", "\x08", " ", "\u00a0", "\n", "\u3164"),
    *("\U000e0041", "\ufffd", "\u0345", "\u061c", "\u200e", "\u2062", "\u115f", "\U000e0100"),
    *("\x7f", "\x1b", "\x85", "\r", "\t", "\\", "\u2028", "\u00a8", "\u20dd"),
)
"""What is put inside a special text; dropping it gives the special text back."""
EVERYWHERE = INSERTED[0]
CASE_TWINS = {
    "s": ("\u017f",),
    "S": ("\u017f",),
    "k": ("\u212a",),
    "K": ("\u212a",),
    "i": ("\u0131", "\u0130"),
    "I": ("\u0130", "\u0131"),
    "\u2581": ("_", " "),
}
"""Letters that case folding, in some language or library, makes equal; and U+2581 for a space."""
DELIMITERS = "<|>[]/_"
WRAPPED_IN = (
    *(("\u202e", "\u202c"), ("\u202d", "\u202c"), ("\u2066", "\u2069"), ("\u2067", "\u2069")),
    *(("\u200e", "\u200e"), ("\ufeff", "\ufeff"), ("\x00", "\x00"), ("\x1b", "\x1b")),
    *(("\x02", "\x03"), (" ", " "), ("\n", "\n"), ("\t", "\t"), ("\u3000", "\u3000")),
)
"""Pairs of characters around a special text, which some stage strips."""


def lookalikes(token: str, inserted: Sequence[str], choices: int) -> Iterator[Case]:
    """The special text rewritten; the twin is the special text.

    ``inserted`` is put inside; of what NFKC makes a letter or digit there are ``choices``.
    """
    for text, why in (*_replaced(token, choices), *_inserted(token, inserted)):
        yield Case(text, f"a special token {why}", token)


def written(token: str) -> Iterator[Case]:
    """The special text rewritten as a whole, once in each way; the twin is the special text."""
    for text, why in (*_written(token), *_written_twice(token)):
        yield Case(text, f"a special token {why}", token)
    for how, text in escaped(token).items():
        yield Case(text, f"a special token {how}", token)


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
    yield "".join(CASE_TWINS.get(char, (char,))[0] for char in token), "with twins by case folding"
    for char, twins in CASE_TWINS.items():
        for twin in twins:
            yield token.replace(char, twin, 1), f"with {label(twin)} for {label(char)}"
    for opening, closing in WRAPPED_IN:
        yield opening + token + closing, f"between {label(opening)} and {label(closing)}"
    yield token[::-1], "backwards"
    yield f"\u202e{token[::-1]}\u202c", "backwards, shown forwards"
    yield token.replace("\u2581", "_").replace("\uff5c", "|"), "in ASCII"
    yield token.replace("\u2581", " "), "with spaces for U+2581"
    yield token.replace(" ", "  "), "with its spaces doubled"
    yield token.replace(" ", "\u2581").replace("_", "\u2581"), "with U+2581 for its spaces"


def _written_twice(token: str) -> Iterator[tuple[str, str]]:
    """What one stage alone does not undo."""
    yield fullwidth(token.upper()), "in upper case and fullwidth forms"
    yield interleaved(fullwidth(token), EVERYWHERE), "in fullwidth forms with U+200B throughout"
    yield interleaved(token.swapcase(), EVERYWHERE), "in other case with U+200B throughout"
    yield interleaved(token.swapcase(), " "), "in other case with spaces throughout"
    for style in (str.upper, fullwidth, tagged):
        text = style(token)
        yield "".join(f"&#{ord(char)};" for char in text), "rewritten, then in entities"
        yield "".join(f"\\u{ord(char):04x}" for char in text), "rewritten, then in escapes"
        yield quote(text), "rewritten, then in a URL"


def _replaced(token: str, choices: int) -> Iterator[tuple[str, str]]:
    for text in replaced_once(token, 2):
        yield text, "with one confusable"
    yield "".join((*beyond_ascii(char), char)[0] for char in token), "in confusables"
    for char in dict.fromkeys(token):
        # A delimiter in every form: there are few, and a filter looks for them.
        for other in compatible(char)[: None if char in DELIMITERS else choices]:
            why = f"with {label(other)} for {label(char)}"
            yield token.replace(char, other, 1), why
            yield token.replace(char, other), f"{why} throughout"


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
