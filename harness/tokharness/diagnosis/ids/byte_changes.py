"""What the bytes of tokens are instead of the bytes of a text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["byte_changes", "is_subsequence"]

REPLACEMENT = "\ufffd".encode()
HEX = re.compile(rb"<0x([0-9A-Fa-f]{2})>")
WHITE_SPACE = b" \t\n\v\f\r"


def _alphabet() -> dict[int, int]:
    """Letters that byte-level vocabularies write for bytes, as Radford et al. 2019 chose them.

    A byte that shows itself in Latin-1 is its own letter; the others have those from U+0100 on.
    """
    shown = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(0x100) if byte not in shown]
    return {0x100 + place: byte for place, byte in enumerate(hidden)}


LETTERS = _alphabet()


def _bytes_of_letters(data: bytes) -> bytes:
    return data.decode().translate(LETTERS).encode("latin-1")


def _bytes_of_hex(data: bytes) -> bytes:
    return HEX.sub(lambda match: bytes.fromhex(match[1].decode()), data)


def _space(mark: str) -> Callable[[bytes], bytes]:
    return lambda data: data.replace(mark.encode(), b" ")


UNDO: dict[str, Callable[[bytes], bytes]] = {
    "U+2581 for a space": _space("\u2581"),
    "U+0120 for a space": _space("\u0120"),
    "<0x..> for a byte": _bytes_of_hex,
    "UTF-8 encoded twice": lambda data: data.decode().encode("latin-1"),
    "letters of the byte-level alphabet": _bytes_of_letters,
}
"""Ways in which bytes are written as text, each with what reads them again, the narrowest first."""

TOGETHER = ("<0x..> for a byte", "U+2581 for a space")


def byte_changes(wanted: bytes, seen: bytes) -> list[tuple[str, str]]:
    """Names of what turns ``wanted`` into ``seen``, each with a sentence; never empty."""
    read = (wanted, b" " + wanted)  # decoding may take a first space away
    written = [name for name in UNDO if _undone(seen, name) in read]
    if written:
        return [(name, f"a token's bytes are not the text's: {name}") for name in written]
    steps = {name: _undone(seen, name) or seen for name in TOGETHER}
    both = _undone(steps[TOGETHER[0]], TOGETHER[1])
    if both in read:
        return [
            (name, f"a token's bytes are not the text's: {name}")
            for name, after in steps.items()
            if after != seen
        ]
    return [_otherwise(wanted, seen)]


def _undone(data: bytes, name: str) -> bytes | None:
    try:
        return UNDO[name](data)
    except UnicodeError:
        return None


def _otherwise(wanted: bytes, seen: bytes) -> tuple[str, str]:
    if seen.count(REPLACEMENT) > wanted.count(REPLACEMENT):
        what = "U+FFFD for a part of a character"
        return what, "a token that holds a part of a character has the bytes of U+FFFD"
    if seen.translate(None, WHITE_SPACE) == wanted.translate(None, WHITE_SPACE):
        return "white space", "white space of the text is not that of its tokens' bytes"
    if is_subsequence(seen, wanted):
        return "bytes missing", "bytes of the text are in none of its tokens"
    if is_subsequence(wanted, seen):
        return "bytes added", "a text's tokens have bytes that are not in the text"
    return "other bytes", "the bytes of a text's tokens are not those of the text"


def is_subsequence(part: bytes, whole: bytes) -> bool:
    """Whether ``part`` is left when some bytes of ``whole`` are taken out."""
    rest = iter(whole)
    return all(byte in rest for byte in part)
