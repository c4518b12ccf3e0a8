"""Names and messages in decorated letters: bold, circled, struck out, upside down, stacked marks.

Social networks have no fonts, so people write in mathematical letters, enclosed letters and small
capitals, and put a combining mark on every letter: a line through it, or so many marks that they
cover the lines above (Zalgo). Moderation that compares words finds none of these texts, and models
read most of them. NFKC restores some styles and leaves others, so that a tokenizer with a
normalizer reads one half of a name as text and the other half as unknown. The marks cost several
tokens each.

Cases: own texts, then every style of letters on Latin texts, and every style of marks on texts of
several scripts. The twin is the plain text.

Source: UAX #15 (compatibility mappings); UAX #44 (combining marks U+0332 to U+0338); the names of
Unicode's enclosed and mathematical letters.
"""

from __future__ import annotations

from functools import partial
from itertools import cycle, islice, product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness_cases._disguises import MATH_STYLES, interleave, to_fullwidth, to_mathematical
from tokharness_cases._family import NO_FACTS, curated_cases, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]


# Styles of decorated text: each turns a plain text into a text that looks like it.

LOWER = "abcdefghijklmnopqrstuvwxyz"
SMALL_CAPITALS = (
    "\u1d00\u0299\u1d04\u1d05\u1d07\ua730\u0262\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d"
    "\u0274\u1d0f\u1d18\u01eb\u0280s\u1d1b\u1d1c\u1d20\u1d21x\u028f\u1d22"
)
TURNED = (
    "\u0250q\u0254p\u01dd\u025f\u0183\u0265\u1d09\u027e\u029el\u026f"
    "uodb\u0279s\u0287n\u028c\u028dx\u028ez"
)
RAISED = (
    "\u1d43\u1d47\u1d9c\u1d48\u1d49\u1da0\u1d4d\u02b0\u2071\u02b2\u1d4f\u02e1\u1d50"
    "\u207f\u1d52\u1d56q\u02b3\u02e2\u1d57\u1d58\u1d5b\u02b7\u02e3\u02b8\u1dbb"
)
ENCLOSED = {
    "circled": (0x24B6, 0x24D0),
    "negative circled": (0x1F150, 0x1F150),
    "squared": (0x1F130, 0x1F130),
    "negative squared": (0x1F170, 0x1F170),
    "parenthesized": (0x1F110, 0x249C),
}
"""First code point of the capital and of the small letters of each style."""

MARKS = {
    "a short bar across each letter": "\u0335",
    "a long bar across each letter": "\u0336",
    "a short slash across each letter": "\u0337",
    "a long slash across each letter": "\u0338",
    "a line below each letter": "\u0332",
    "two lines below each letter": "\u0333",
    "a line above each letter": "\u0305",
    "a tilde across each letter": "\u0334",
    "a wave below each letter": "\u0330",
    "a line below each two letters": "\u035f",
    "a circle around each letter": "\u20dd",
    "a square around each letter": "\u20de",
    "a ban around each letter": "\u20e0",
    "a keycap around each letter": "\u20e3",
}
STACKED = "\u0335\u031b\u0315\u0334\u0349\u035d\u0311\u0323\u0308\u0359\u0301\u0347\u033e\u0331"
"""Marks above, below and across, as generators of stacked marks use them."""


def _with_table(table: Mapping[int, int | str], text: str) -> str:
    return text.translate(table)


def _turned(text: str) -> str:
    return text.lower().translate(str.maketrans(LOWER, TURNED))[::-1]


def _stacked(number: int, text: str) -> str:
    """Put marks on each letter, other marks than on the letter before."""
    marks = cycle(STACKED)
    return "".join(
        char + "".join(islice(marks, number)) if char.isalnum() else char for char in text
    )


def _regional(text: str) -> str:
    """Write letters as regional indicators, apart, so that they make no flags."""
    return interleave(text.translate(_enclosed(0x1F1E6, 0x1F1E6)), " ")


def _enclosed(capital: int, small: int) -> dict[int, int]:
    return {
        ord(letter) + case: first + place
        for place, letter in enumerate(LOWER)
        for case, first in ((-32, capital), (0, small))
    }


LETTER_STYLES: dict[str, Callable[[str], str]] = {
    **{f"mathematical {style}": partial(to_mathematical, style=style) for style in MATH_STYLES},
    **{f"{name} letters": partial(_with_table, _enclosed(*p)) for name, p in ENCLOSED.items()},
    "regional indicators": _regional,
    "fullwidth letters": to_fullwidth,
    "small capitals": partial(_with_table, str.maketrans(LOWER, SMALL_CAPITALS)),
    "raised letters": partial(_with_table, str.maketrans(LOWER, RAISED)),
    "letters upside down": _turned,
    "hair spaces between letters": partial(interleave, char="\u200a"),
    "spaces between letters": partial(interleave, char=" "),
    "hearts between letters": partial(interleave, char="\u2665"),
}
"""Styles of Latin letters, by name."""

MARK_STYLES: dict[str, Callable[[str], str]] = {
    **{
        name: lambda text, mark=mark: "".join(char + mark for char in text)  # type: ignore[misc]
        for name, mark in MARKS.items()
    },
    **{f"{number} marks on each letter": partial(_stacked, number) for number in (1, 3, 8)},
}
"""Styles of letters of any script, by name."""

LATIN = (
    *("a", "Hello", "free", "not now", "It's me", "HELP", "the end.", "name123", "quick brown fox"),
    *("password", "ignore all of it", "a b c", "Zq", "2024", "I love you"),
)
OTHERS = (
    *("\u0434\u0430", "\u043c\u0438\u0440", "\u03bd\u03b1\u03b9", "\u05dc\u05d0", "\u0645\u0627"),
    *(
        "\u0915\u0932",
        "\u0e01\u0e19",
        "\u6c34\u706b",
        "\u306f\u3044",
        "\ubb3c\ubd88",
        "\u00e9t\u00e9",
    ),
    *("\u10d0\u10d1", "\U0001f600\U0001f680", "1 + 1", "\u0ba8\u0b9f", "\u1204\u12cd"),
)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Own texts, then each style, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("decorated_text")
    for (name, style), text in product(LETTER_STYLES.items(), LATIN):
        yield Case(style(text), name, text)
        if len(text) <= 5:
            yield Case(f"so {style(text)}!", f"{name} in a sentence", f"so {text}!")
    for (name, style), text in product(MARK_STYLES.items(), (*LATIN, *OTHERS)):
        yield Case(style(text), name, text)


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random words in random styles."""
    styles = (*LETTER_STYLES.values(), *MARK_STYLES.values())
    words = tuple(style(text) for style, text in product(styles, (*LATIN[:6], *OTHERS[:6])))
    return mixture(words, ("a", " ", ".", "Hello", "1", "'s", "\u0336"), most=4)
