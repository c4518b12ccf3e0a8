"""Characters of a token that hide or act on a display, where nothing in the token needs them.

A token of one character says nothing about a corpus, and a space before a word is how tokens begin.
So a token counts if it has two or more characters without that space.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.token_content.classes import TokenClass
from tokharness.diagnosis.token_content.joined import JoinedTexts
from tokharness.diagnosis.token_content.needed import DI, unneeded_characters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["hidden_classes"]

TERMINAL_ESCAPE = r"\x1b|(?<![\x80-\xff\ufffd])[\x90\x9b\x9d](?=[0-9;?])"
"""ESC, or a control of C1 with a parameter; after Latin-1 it is a byte of a misread character."""

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
"""Classes that a reviewer acts on, and a character of each that nothing needs."""


def hidden_classes(
    texts: Mapping[int, str], unusual: JoinedTexts, least: int = 2
) -> Iterator[TokenClass]:
    """Yield the tokens of each class that has any, among those with unusual characters.

    A token has ``least`` characters without the space at its start.
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
