"""GPT-2's characters for bytes: each byte is written as one visible character.

Bytes of printable Latin-1 characters are these characters, and the other 68 are U+0100 to U+0143 in
order (Radford et al. 2019, ``encoder.py``). So U+0020 is written as U+0120.
"""

from __future__ import annotations

import codecs
from itertools import chain
from typing import Final

_PRINTABLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
_OTHERS = (byte for byte in range(0x100) if byte not in _PRINTABLE)

CHARACTER_OF: Final[tuple[str, ...]] = tuple(
    chr(point)
    for _, point in sorted(
        chain(
            zip(_PRINTABLE, _PRINTABLE, strict=True), zip(_OTHERS, range(0x100, 0x144), strict=True)
        )
    )
)
"""The character of each byte."""

BYTE_OF: Final[dict[str, int]] = {char: byte for byte, char in enumerate(CHARACTER_OF)}
"""The byte of each of these characters."""


_DECODING: Final = "".join(CHARACTER_OF)
_ENCODING: Final = codecs.charmap_build(_DECODING)


def characters_of(text: str) -> str:
    """Write the UTF-8 bytes of a text as characters."""
    return codecs.charmap_decode(text.encode(), "strict", _DECODING)[0]


def bytes_of(token: str) -> bytes:
    """Return the bytes that a token is written for.

    A token with another character stands for its own UTF-8 bytes, as an added token does.
    """
    try:
        return codecs.charmap_encode(token, "strict", _ENCODING)[0]
    except UnicodeEncodeError:
        return token.encode()
