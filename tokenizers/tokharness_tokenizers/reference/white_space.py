"""White space as Unicode has it, and word characters as the Rust crate ``regex`` has them.

``str.strip`` and ``str.isspace`` also treat U+001C to U+001F as white space, and are not used here.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from tokharness.unicode import versions
from tokharness.unicode.properties import members

# Word characters of the Rust crate ``regex``: ``\w`` of UTS #18, annex C.

_WORD: Final = r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]"


@cache
def rust_word(version: str | None = None) -> frozenset[str]:
    r"""Return the characters of ``\w`` in a Unicode version, by default the current one.

    ``tokenizers`` 0.23.3 has 16.0 there.
    """
    if version is None:
        return frozenset(map(chr, members(_WORD)))
    word = rust_word()  # a version shares its strings, which take 15 MB
    table = versions.standins(versions.canonical(version), versions.REGEX_VERSION)
    gone = {chr(point) for point, image in table.items() if chr(image) not in word}
    come = {chr(point) for point, image in table.items() if chr(image) in word}
    return (word - gone) | come


WHITE_SPACE: Final = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""The same in every version since 6.3."""


def leading(text: str) -> int:
    """Return the number of white space characters at the start of a text."""
    return len(text) - len(text.lstrip(WHITE_SPACE))


def trailing(text: str) -> int:
    """Return the number of white space characters at the end of a text."""
    return len(text) - len(text.rstrip(WHITE_SPACE))
