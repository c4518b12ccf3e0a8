"""Texts that resemble a special token: look-alikes, escapes that a decoder undoes, fragments."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import quote

from tokharness.model import Case
from tokharness.unicode.properties import label, name
from tokharness_cases._disguises import (
    MATH_STYLES,
    compatibility_variants,
    interleave,
    non_ascii_confusables,
    replace_one,
    to_fullwidth,
    to_mathematical,
    to_tags,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

INSERTED = (
    *("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u034f", "\u180e", "\ufe0f"),
    *("\u202e", "\u2066", "\u0301", "\u0338", "\x00", "\x08", " ", "\u00a0", "\n", "\u3164"),
    *("\U000e0041", "\ufffd", "\u0345", "\u061c", "\u200e", "\u2062", "\u115f", "\U000e0100"),
    *("\x7f", "\x1b", "\x85", "\r", "\t", "\\", "\u2028", "\u00a8", "\u20dd"),
)
"""Characters inserted into a special token; a stage that drops them restores the token."""
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
"""Letters that are equal after case folding in some language or library, and U+2581 as a space."""
DELIMITERS = "<|>[]/_"
WRAPPED_IN = (
    *(("\u202e", "\u202c"), ("\u202d", "\u202c"), ("\u2066", "\u2069"), ("\u2067", "\u2069")),
    *(("\u200e", "\u200e"), ("\ufeff", "\ufeff"), ("\x00", "\x00"), ("\x1b", "\x1b")),
    *(("\x02", "\x03"), (" ", " "), ("\n", "\n"), ("\t", "\t"), ("\u3000", "\u3000")),
)
"""Pairs of characters around a special token that some stage strips."""


def lookalikes(token: str, inserted: Sequence[str], choices: int) -> Iterator[Case]:
    """Yield the special token with characters replaced or inserted; the twin is the token.

    ``inserted`` are the characters to insert. The first ``choices`` characters that NFKC turns into
    a letter or digit replace it.
    """
    for text, why in (*_replaced(token, choices), *_inserted(token, inserted)):
        yield Case(text, f"a special token {why}", token)


def rewritings(token: str) -> Iterator[Case]:
    """Yield the special token rewritten as a whole, once per way; the twin is the token."""
    for text, why in (*_written(token), *_written_twice(token)):
        yield Case(text, f"a special token {why}", token)
    for how, text in escaped_forms(token).items():
        yield Case(text, f"a special token {how}", token)


def _written(token: str) -> Iterator[tuple[str, str]]:
    yield token.upper(), "in upper case"
    yield token.lower(), "in lower case"
    yield token.swapcase(), "with its case swapped"
    yield token.title(), "in title case"
    yield to_fullwidth(token), "in fullwidth forms"
    yield to_fullwidth(token[0]) + token[1:-1] + to_fullwidth(token[-1]), "in fullwidth delimiters"
    yield (
        token[0] + to_fullwidth(token[1:-1]) + token[-1],
        "in fullwidth forms except its delimiters",
    )
    yield to_tags(token), "in tag characters"
    yield f"Hello{to_tags(token)}", "in tag characters after a word"
    yield f"\U0001f3f4{to_tags(token)}\U000e007f", "in tag characters in a flag"
    for style in MATH_STYLES:
        yield to_mathematical(token, style), f"in mathematical {style}"
    yield (
        "".join(CASE_TWINS.get(char, (char,))[0] for char in token),
        "with letters equal after case folding",
    )
    for char, twins in CASE_TWINS.items():
        for twin in twins:
            yield token.replace(char, twin, 1), f"with {label(twin)} for {label(char)}"
    for opening, closing in WRAPPED_IN:
        yield opening + token + closing, f"between {label(opening)} and {label(closing)}"
    yield token[::-1], "backwards"
    yield f"\u202e{token[::-1]}\u202c", "backwards, displayed forwards"
    yield token.replace("\u2581", "_").replace("\uff5c", "|"), "in ASCII"
    yield token.replace("\u2581", " "), "with spaces for U+2581"
    yield token.replace(" ", "  "), "with its spaces doubled"
    yield token.replace(" ", "\u2581").replace("_", "\u2581"), "with U+2581 for its spaces"


def _written_twice(token: str) -> Iterator[tuple[str, str]]:
    """Yield rewritings that one stage alone does not undo."""
    yield to_fullwidth(token.upper()), "in upper case and fullwidth forms"
    yield interleave(to_fullwidth(token), EVERYWHERE), "in fullwidth forms with U+200B throughout"
    yield interleave(token.swapcase(), EVERYWHERE), "in swapped case with U+200B throughout"
    yield interleave(token.swapcase(), " "), "in swapped case with spaces throughout"
    for style in (str.upper, to_fullwidth, to_tags):
        text = style(token)
        yield "".join(f"&#{ord(char)};" for char in text), "rewritten, then in HTML entities"
        yield "".join(f"\\u{ord(char):04x}" for char in text), "rewritten, then in escapes"
        yield quote(text), "rewritten, then in a URL"


def _replaced(token: str, choices: int) -> Iterator[tuple[str, str]]:
    for text in replace_one(token, 2):
        yield text, "with one confusable"
    yield "".join((*non_ascii_confusables(char), char)[0] for char in token), "in confusables"
    for char in dict.fromkeys(token):
        # Delimiters have few forms, and filters search for them, so all forms are used.
        for other in compatibility_variants(char)[: None if char in DELIMITERS else choices]:
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
        yield interleave(token, char), f"{why} between all characters"
        yield char + token, f"{why} before it"
        yield token + char, f"{why} after it"
    yield f"{token[:2]} {token[2:-2]} {token[-2:]}", "with spaces inside its delimiters"
    yield token.replace("_", " "), "with spaces for low lines"


def fragments(token: str) -> Iterator[Case]:
    """Yield beginnings, ends, and tokens nested so that a single-pass filter joins them."""
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
        yield Case(text, "a special token with doubled or missing delimiters", token)


_Form = Callable[[str], str]
ESCAPED_DELIMITERS = "<|>[]/_\uff5c"
NAMED = {"<": "&lt;", ">": "&gt;", "|": "&vert;", "[": "&lsqb;", "]": "&rsqb;", "_": "&lowbar;"}
FORMS: dict[str, _Form] = {
    "HTML entities": lambda char: NAMED.get(char, char),
    "decimal entities": lambda char: f"&#{ord(char)};",
    "hexadecimal entities": lambda char: f"&#x{ord(char):x};",
    "padded entities": lambda char: f"&#X{ord(char):06X};",
    "entities without semicolons": lambda char: f"&#{ord(char)}",
    "URL escapes": lambda char: "".join(f"%{byte:02X}" for byte in char.encode()),
    "URL escapes in lower case": lambda char: "".join(f"%{byte:02x}" for byte in char.encode()),
    "JSON escapes": lambda char: f"\\u{ord(char):04x}",
    "C escapes": lambda char: "".join(f"\\x{byte:02x}" for byte in char.encode()),
    "octal escapes": lambda char: f"\\{ord(char):03o}",
    "long escapes": lambda char: f"\\U{ord(char):08X}",
    "braced escapes": lambda char: f"\\u{{{ord(char):X}}}",
    "escapes by name": lambda char: f"\\N{{{name(char)}}}",
    "backslashes": lambda char: f"\\{char}",
}
WHOLE: dict[str, _Form] = {
    "escaped HTML": html.escape,
    "HTML escaped twice": lambda text: html.escape(html.escape(text)),
    "HTML escaped three times": lambda text: html.escape(html.escape(html.escape(text))),
    "a URL": quote,
    "a URL escaped twice": lambda text: quote(quote(text)),
    "JSON": json.dumps,
    "JSON encoded twice": lambda text: json.dumps(json.dumps(text)),
    "HTML in a URL": lambda text: quote(html.escape(text)),
    "JSON escapes with their backslashes escaped": lambda text: _all(
        text, FORMS["JSON escapes"]
    ).replace("\\", "\\\\"),
    "a CDATA section": lambda text: f"<![CDATA[{text}]]>",
}


def escaped_forms(text: str) -> dict[str, str]:
    """Return the text in every kind of escape, keyed by a description of it."""
    forms = {}
    for how, form in FORMS.items():
        chosen = "".join(form(char) if char in ESCAPED_DELIMITERS else char for char in text)
        forms[f"in {how}"] = chosen
        forms[f"wholly in {how}"] = _all(text, form)
        forms[f"partly in {how}"] = form(text[0]) + text[1:]
    return forms | {f"in {how}": form(text) for how, form in WHOLE.items()}


def _all(text: str, form: _Form) -> str:
    return "".join(map(form, text))
