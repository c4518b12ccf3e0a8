"""How the bytes of tokens differ from the bytes of a text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

REPLACEMENT = "\ufffd".encode()
HEX = re.compile(rb"<0x([0-9A-Fa-f]{2})>")
WHITE_SPACE = b" \t\n\v\f\r"


def _alphabet() -> dict[int, int]:
    """Byte-level alphabet of GPT-2 (Radford et al. 2019), for letters that are not their own byte.

    A printable byte of Latin-1 is its own letter; the others have the letters from U+0100 on.
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(0x100) if byte not in printable]
    return {0x100 + place: byte for place, byte in enumerate(others)}


ALPHABET = _alphabet()


def _from_alphabet(data: bytes) -> bytes:
    return data.decode().translate(ALPHABET).encode("latin-1")


def _from_hex(data: bytes) -> bytes:
    return HEX.sub(lambda match: bytes.fromhex(match[1].decode()), data)


def _from_marker(marker: str) -> Callable[[bytes], bytes]:
    return lambda data: data.replace(marker.encode(), b" ")


UNDO: dict[str, Callable[[bytes], bytes]] = {
    "U+2581 for a space": _from_marker("\u2581"),
    "U+0120 for a space": _from_marker("\u0120"),
    "<0x..> for a byte": _from_hex,
    "UTF-8 encoded twice": lambda data: data.decode().encode("latin-1"),
    "letters of the byte-level alphabet": _from_alphabet,
}
"""Ways to write bytes as text, each with the function that undoes it, the narrowest first."""

TOGETHER = ("<0x..> for a byte", "U+2581 for a space")


def byte_changes(expected: bytes, actual: bytes) -> list[tuple[str, str]]:
    """Name the changes that turn ``expected`` into ``actual``, each with a sentence."""
    correct = (expected, b" " + expected)  # decoding may strip a first space
    changes = [name for name in UNDO if _undo(actual, name) in correct]
    if changes:
        return [(name, _written_as(name)) for name in changes]
    steps = {name: _undo(actual, name) or actual for name in TOGETHER}
    both = _undo(steps[TOGETHER[0]], TOGETHER[1])
    if both in correct:
        return [(name, _written_as(name)) for name, after in steps.items() if after != actual]
    return [_other_change(expected, actual)]


def _undo(data: bytes, name: str) -> bytes | None:
    try:
        return UNDO[name](data)
    except UnicodeError:
        return None


def _written_as(name: str) -> str:
    return f"the bytes of a token differ from those of the text: {name}"


def _other_change(expected: bytes, actual: bytes) -> tuple[str, str]:
    if actual.count(REPLACEMENT) > expected.count(REPLACEMENT):
        what = "U+FFFD for a part of a character"
        return what, "a token for a part of a character has the bytes of U+FFFD"
    if actual.translate(None, WHITE_SPACE) == expected.translate(None, WHITE_SPACE):
        return "white space", "white space in the tokens' bytes differs from that of the text"
    if is_subsequence(actual, expected):
        return "bytes missing", "some bytes of the text are in none of its tokens"
    if is_subsequence(expected, actual):
        return "bytes added", "the tokens of a text have bytes that are not in the text"
    return "other bytes", "the bytes of a text's tokens are not the bytes of the text"


def is_subsequence(part: bytes, whole: bytes) -> bool:
    """Whether removing some bytes of ``whole`` gives ``part``."""
    rest = iter(whole)
    return all(byte in rest for byte in part)
