"""Strategies of invisible characters, controls and white space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.strategies._families import texts_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


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
