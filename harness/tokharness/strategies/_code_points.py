"""Strategies of rare, invalid and invisible code points, of controls, white space and emoji."""

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


def zero_width() -> SearchStrategy[str]:
    r"""Words with invisible characters in and around them: joiners, fillers, blanks.

    Example: ``"pass\u200bword"``.

    Source: UAX #44 (Default_Ignorable_Code_Point, Cf); Boucher et al. 2021 "Bad Characters".
    """
    return texts_of("zero-width")


def variation_selectors() -> SearchStrategy[str]:
    r"""Bases of every kind followed by variation selectors, which may hide a message.

    Example: ``"a\ufe0f"``.

    Source: StandardizedVariants.txt; UTS #37; Butler 2025.
    """
    return texts_of("variation-selectors")


def tag_smuggling() -> SearchStrategy[str]:
    r"""Text with messages in tag characters, an invisible copy of ASCII.

    Example: ``"Hello\U000e0061\U000e0062"``.

    Source: UTS #51, annex C; Goodside 2024 (ASCII smuggling).
    """
    return texts_of("tag-smuggling")


def invisible_bits() -> SearchStrategy[str]:
    r"""Bytes encoded as bits in two invisible characters.

    Example: ``"a\u2062\u2064\u2064\u2062"``.

    Source: the sneaky bits of garak and of Rehberger 2025.
    """
    return texts_of("invisible-bits")


def bidi() -> SearchStrategy[str]:
    r"""Text of both directions with bidirectional controls, balanced or not.

    Example: ``"a\u202e1"``.

    Source: UAX #9; CVE-2021-42574 "Trojan Source".
    """
    return texts_of("bidi")


def controls() -> SearchStrategy[str]:
    r"""Control codes, parts of terminal escape sequences, byte order marks.

    Example: ``"a\x1b[0m"``. Escape these texts before you print them.

    Source: ECMA-48; the Unicode Standard, chapter 23.
    """
    return texts_of("controls")


def white_space() -> SearchStrategy[str]:
    r"""Words among runs of white space of every kind and its look-alikes.

    Example: ``"a\u00a0\u3000the"``.

    Source: PropList.txt (White_Space); ECMA-262 (WhiteSpace).
    """
    return texts_of("white-space")


def leading_space() -> SearchStrategy[str]:
    r"""Words with white space before and after, and with substitutes for a space.

    Example: ``" \u2581a"``.

    Source: UAX #44 (White_Space); the split patterns of GPT-2 and its successors.
    """
    return texts_of("leading-space")
