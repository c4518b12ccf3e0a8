"""Bytes that engines have for a character without a token, in the place of its UTF-8."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def _as_surrogates(text: str) -> bytes:
    units = text.encode("utf-16-be")
    pairs = (
        units[at : at + 2].decode("utf-16-be", "surrogatepass") for at in range(0, len(units), 2)
    )
    return "".join(pairs).encode("utf-8", "surrogatepass")


BYTES: Final[Mapping[str, Callable[[str], bytes]]] = {
    "characters beyond the BMP have the bytes of two surrogates, as in CESU-8": _as_surrogates,
    "characters beyond the BMP have no bytes": lambda char: char.encode() * (char < "\U00010000"),
    "the bytes of a character are in reverse order": lambda char: char.encode()[::-1],
    "a character has the first byte of its UTF-8 alone": lambda char: char.encode()[:1],
    "a character has one byte, its code point modulo 256": lambda char: bytes([ord(char) % 256]),
    "characters up to U+00FF have one byte, as in Latin-1": lambda char: char.encode(
        "utf-8" if char > "\xff" else "latin-1"
    ),
    "a character has the bytes of UTF-16, little-endian": lambda char: char.encode("utf-16-le"),
    "a character has the bytes of UTF-16, big-endian": lambda char: char.encode("utf-16-be"),
}
"""Returns the bytes of one character, by what is done; a character without bytes is unknown."""
