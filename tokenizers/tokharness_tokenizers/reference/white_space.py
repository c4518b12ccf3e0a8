"""White space as Unicode has it: the 25 characters with the property White_Space (UAX #44).

``str.strip`` and ``str.isspace`` take U+001C to U+001F too, so they are not used here.
"""

from __future__ import annotations

from typing import Final

__all__ = ["WHITE_SPACE", "leading", "trailing"]

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
