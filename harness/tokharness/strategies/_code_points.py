"""Strategies of rare and invalid code points, and of emoji."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.strategies._families import texts_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def emoji() -> SearchStrategy[str]:
    r"""Emoji: joined, with skin tones, flags, truncated, and in invalid combinations.

    Example: ``"\U0001f468\u200d"``.

    Source: UTS #51; UAX #29 (GB9c, GB11, GB12).
    """
    return texts_of("emoji")


def noncharacters() -> SearchStrategy[str]:
    r"""Noncharacters, private use and unassigned code points, and literal U+FFFD.

    Example: ``"a\ufffe"``.

    Source: the Unicode Standard, chapters 3 and 23.
    """
    return texts_of("noncharacters")


def new_code_points() -> SearchStrategy[str]:
    r"""Code points whose class changed since Unicode 13.0: libraries disagree about them.

    Example: ``"a\u1c89"``, a letter since Unicode 16.0.

    Source: UAX #44 (DerivedAge, General_Category).
    """
    return texts_of("new-code-points")


def surrogates() -> SearchStrategy[str]:
    r"""Lone surrogates, reversed pairs, and pairs as two code units: invalid Unicode.

    Example: ``"a\ud83d"``. Such a text has no UTF-8: ``text.encode()`` raises.

    Source: the Unicode Standard, chapter 3 (D71 to D77).
    """
    return texts_of("surrogates")


def invalid_utf8() -> SearchStrategy[str]:
    r"""Invalid UTF-8, as Python carries such bytes in a string.

    The byte 0xNN is U+DCNN; ``text.encode("utf-8", "surrogateescape")`` returns the bytes.

    Example: ``"a\udcc0\udc80"``, an overlong NUL.

    Source: the Unicode Standard, table 3-7; RFC 3629; PEP 383.
    """
    return texts_of("invalid-utf8")
