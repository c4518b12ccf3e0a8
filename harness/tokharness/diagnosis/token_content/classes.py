"""Classes of content that the characters of a token show, and the tokens of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.token_content.texts import PARTIAL

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from tokharness.diagnosis.token_content.texts import JoinedTexts

MOST_IDS, MOST_CHARACTERS = 50, 80
"""Most ids shown for a class, and most characters shown of a token."""

LONG_RUN = 16
"""Least number of repetitions of a character that make a token a run of it."""

TAGS = (
    "a|b|body|br|button|code|div|em|font|footer|form|h[1-6]|head|header|html|i|iframe|img|input|"
    "label|li|link|meta|nav|ol|option|p|pre|script|section|select|small|span|strong|style|sub|sup|"
    "svg|table|tbody|td|textarea|th|thead|title|tr|ul|video"
)

UNUSUAL = (
    r"[[\p{Cc}--\p{White_Space}]\p{Default_Ignorable_Code_Point}\p{Co}"
    r"\p{Noncharacter_Code_Point}]"
)
"""Every token in a class of ``CHARACTERS`` contains one of these characters."""

CHARACTERS = {
    "control characters": r"(?!\p{White_Space})\p{Cc}",
    # ESC, and CSI and the like (ECMA-48)
    "terminal escapes of any use": r"[\x1b\x90\x98\x9b\x9d-\x9f]",
    "bidirectional controls of any use": r"\p{Bidi_Control}",
    "invisible characters": r"\p{Default_Ignorable_Code_Point}",
    "tag characters of any use": r"[\U000E0001\U000E0020-\U000E007F]",
    "private use": r"\p{Co}",
    "noncharacters": r"\p{Noncharacter_Code_Point}",
}
"""Patterns of the classes of unusual characters, by name."""

TEXTS = {
    "URLs and e-mail addresses": (
        *(r"https?:", r"://", r"(?<!\w)www\.", r"mailto:", r"\.(?:com|org|net|edu|gov)\b"),
        r"(?<=\w)@\w+\.\w",
    ),
    "HTML": (rf"</?(?:{TAGS})\b|<!--|<!DOCTYPE|&(?:\#\d+|\#x[0-9a-f]+|[a-z]{{2,8}});|javascript:",),
    "mojibake": (
        *(r"[\xc2\xc3][\x80-\xbf]", r"(?:\xc3\xc2){2}", r"\xef\xbf\xbd", r"\xf0[\x9f\u0178]"),
        r"\xe2[\x80\u20ac][\x80-\xbf\u0152-\u2122]",
    ),
}
"""Patterns of the other classes, by name; a token matches one of them. "|" would be slower."""


@dataclass(frozen=True, slots=True)
class TokenClass:
    """The tokens of a class, by id; never empty."""

    name: str
    tokens: Mapping[int, str]

    @property
    def example(self) -> int:
        """The id of the shortest token with several whole characters, or of the shortest token."""
        return min(self.tokens, key=lambda number: _unlike_an_example(number, self.tokens[number]))

    def record(self) -> dict[str, Any]:
        """Return a row of a table as plain data."""
        longest = max(self.tokens, key=lambda number: (len(self.tokens[number]), -number))
        return {
            "class": self.name,
            "tokens": len(self.tokens),
            "single characters": sum(len(text) == 1 for text in self.tokens.values()),
            "example": self.tokens[self.example][:MOST_CHARACTERS],
            "its id": self.example,
            "longest": self.tokens[longest][:MOST_CHARACTERS],
            "id of the longest": longest,
            "ids": sorted(self.tokens)[:MOST_IDS],
        }


def _unlike_an_example(number: int, text: str) -> tuple[bool, bool, int, int]:
    return PARTIAL in text, len(text) == 1, len(text), number


def classes_of_content(
    texts: Mapping[int, str], joined: JoinedTexts, unusual: JoinedTexts, not_nfc: Collection[int]
) -> Iterator[TokenClass]:
    """Yield the tokens of each class that has any.

    ``unusual`` has the tokens with unusual characters, and ``not_nfc`` the ids of tokens that are
    not in NFC.
    """
    found = {name: unusual.matching(pattern) for name, pattern in CHARACTERS.items()}
    found |= {name: joined.matching(*patterns) for name, patterns in TEXTS.items()}
    found["not NFC"] = {number: texts[number] for number in not_nfc}
    found["one character repeated"] = {
        number: text for number, text in texts.items() if len(text) >= LONG_RUN and _is_run(text)
    }
    for name, tokens in found.items():
        if tokens:
            yield TokenClass(name, tokens)


def _is_run(text: str) -> bool:
    characters = text.strip()
    return len(characters) >= LONG_RUN and len(set(characters)) == 1
