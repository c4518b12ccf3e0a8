"""Find characters that hide, or act on a display, although nothing in the token needs them.

A token of one character says nothing about a corpus, and many tokens begin with the space before a
word. So a token counts if it has two or more characters besides that space.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import regex

from tokharness.diagnosis.token_content.classes import TokenClass
from tokharness.diagnosis.token_content.texts import JoinedTexts
from tokharness.unicode.sequences import flag_sequences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Where invisible characters have a function, as far as the text of a token shows it.
#
# What stands before and after a token is not known, nor what a part of a character belongs to.

DI = r"\p{Default_Ignorable_Code_Point}"

PLAIN = (
    r"[\p{Latin}\p{Greek}\p{Cyrillic}\p{Armenian}\p{Georgian}\p{Han}\p{Hiragana}\p{Katakana}"
    r"\p{Hangul}\p{Bopomofo}&&\p{L}]"
)
"""Letters of scripts in which nothing joins and words have no marks of direction."""

JOINING = rf"[[\p{{L}}\p{{M}}]--{PLAIN}--[\p{{Hebrew}}\p{{Common}}\p{{Inherited}}]]"
"""Letters and marks of scripts in which letters join or have forms."""

UNSPACED = (
    r"[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}"
    r"\p{scx=Lana}\p{scx=Talu}\p{scx=Tale}\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}]"
)
"""Characters of scripts that are written without spaces between words."""

VARYING = rf"[[^\s\p{{L}}]--{DI}||[\p{{L}}--{PLAIN}]||\p{{Han}}]"
"""Characters that may have variants: all except white space and letters without variants."""

WORD = rf"[\s\p{{Nd}}{DI}{PLAIN}]"
"""Characters next to which U+200B has no function: white space, and letters of spaced words."""

JAMO = r"[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]"

EMOJI = r"[\p{Extended_Pictographic}\p{Emoji_Modifier}]"
START, END = r"(?:\A|(?<=\ufffd))", r"(?=\ufffd|\Z)"
"""The start and the end of the known part of a text."""

NEEDED = (
    # U+200C and U+200D between letters that join, and U+200D between emoji
    rf"(?<={JOINING})[\u200c\u200d](?!{DI})|(?<!{DI})[\u200c\u200d](?={JOINING})",
    rf"{START}[\u200c\u200d](?!{DI}|{PLAIN})|(?<!{DI}|{PLAIN})[\u200c\u200d]{END}",
    rf"(?:(?<={EMOJI}\ufe0f)|(?<={EMOJI}))\u200d(?!{DI})|(?<!{DI})\u200d(?={EMOJI})",
    # variation selectors after an emoji, or after another character that may have variants
    rf"(?:{START}|(?<=\p{{Emoji}}))[\ufe0e\ufe0f]",
    rf"(?:{START}|(?<={VARYING}))[\ufe00-\ufe0d\U000E0100-\U000E01EF]",
    # U+200B between words that have no space, or next to punctuation; a soft hyphen inside a word
    rf"(?<=[\ufffd{UNSPACED}])\u200b(?!{DI})|(?<!{DI})\u200b(?=[\ufffd{UNSPACED}])",
    rf"{START}\u200b(?!{WORD})|(?<!{WORD})\u200b{END}",
    rf"(?<!\s|{DI})\xad(?!\s|{DI})",
    # marks of direction, and U+2060, but not between two plain letters
    rf"(?<!{PLAIN}|{DI})[\u200e\u200f\u061c\u2060](?!{DI})",
    rf"(?<!{DI})[\u200e\u200f\u061c\u2060](?!{PLAIN}|{DI})",
    # characters of mathematics, marks, Mongolian, Khmer, jamo, shorthand and music
    r"[\u2061-\u2064]|(?<=\p{M}|\A)\u034f|\u034f(?=\p{M}|\Z)",
    r"(?<=\p{Mongolian}|\A)[\u180b-\u180f]|(?<=\p{Khmer})[\u17b4\u17b5]",
    rf"(?<={JAMO})[\u115f\u1160]|[\u115f\u1160](?={JAMO})",
    r"[\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A]",
)
"""Where invisible characters have a function, as far as the token shows it."""


def unneeded_characters(text: str) -> str:
    """Return a text without the invisible characters that it needs."""
    return str(_needed().sub("", text))


@cache
def _needed() -> regex.Pattern[str]:
    """Return the pattern of characters that are needed; tags are needed in flags."""
    flags = {text[1:] for text in flag_sequences() if len(text) > 2}
    parts = {
        tags[a:b] for tags in flags for a in range(len(tags)) for b in range(a + 1, len(tags) + 1)
    }
    tags = "|".join(sorted(parts, key=lambda part: (-len(part), part)))
    known = rf"(?:\U0001F3F4|{START})(?:{tags})(?![\U000E0020-\U000E007F])" if parts else r"(?!)"
    return regex.compile("|".join((known, *NEEDED)), regex.V1)


TERMINAL_ESCAPE = r"\x1b|(?<![\x80-\xff\ufffd])[\x90\x9b\x9d](?=[0-9;?])"
"""ESC, or a C1 control with a parameter; after Latin-1, it is a byte of a misread character."""

CLASSES = {
    "bidirectional controls": r"[\u202a-\u202e\u2066-\u2069]",
    "tag characters": r"[\U000E0001\U000E0020-\U000E007F]",
    "terminal escapes": TERMINAL_ESCAPE,
    "invisible letters": r"[\u115f\u1160\u3164\uffa0]",
    "hidden characters": (
        rf"[{DI}--[\u202a-\u202e\u2066-\u2069\U000E0001\U000E0020-\U000E007F"
        r"\u115f\u1160\u3164\uffa0]]"
    ),
}
"""Classes that a reviewer acts on, each with the pattern of its characters that nothing needs."""


def hidden_classes(
    texts: Mapping[int, str], unusual: JoinedTexts, least: int = 2
) -> Iterator[TokenClass]:
    """Yield each class that has tokens, with its tokens, among tokens with unusual characters.

    Tokens with fewer than ``least`` characters besides the space at the start are left out.
    """
    unneeded = JoinedTexts(
        {
            number: unneeded_characters(text)
            for number, text in unusual.matching(rf"{DI}|{TERMINAL_ESCAPE}").items()
            if len(text.removeprefix(" ")) >= least
        }
    )
    for name, pattern in CLASSES.items():
        if found := unneeded.matching(pattern):
            yield TokenClass(name, {number: texts[number] for number in found})
