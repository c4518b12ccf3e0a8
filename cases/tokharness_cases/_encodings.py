"""Encodings that write a text in a few printable characters."""

from __future__ import annotations

import base64
import codecs
import quopri
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["ENCODINGS", "to_braille", "to_morse"]

LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MORSE = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- "
    "-..- -.-- --.. ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----."
)
_DOTS = (
    "1 12 14 145 15 124 1245 125 24 245 13 123 134 1345 135 1234 12345 1235 234 2345 136 1236 2456 "
    "1346 13456 1356"
)
_OF_MORSE = dict(zip(f"{LETTERS}0123456789", _MORSE.split(), strict=True)) | {" ": "/"}
_OF_BRAILLE = dict(zip(LETTERS, _DOTS.split(), strict=True))
"""The dots of each letter."""


def to_morse(text: str, dot: str = ".", dash: str = "-") -> str:
    """Write letters and digits in Morse code, and leave out what it lacks."""
    signs = (_OF_MORSE[char] for char in text.lower() if char in _OF_MORSE)
    return " ".join(sign.replace("-", dash).replace(".", dot) for sign in signs)


def to_braille(text: str) -> str:
    """Write letters in Braille patterns, without contractions; a space is the blank pattern."""
    return "".join(
        chr(0x2800 + sum(1 << int(dot) - 1 for dot in _OF_BRAILLE[char]))
        if char in _OF_BRAILLE
        else char.replace(" ", "\u2800")
        for char in text.lower()
    )


def _bytes_of(text: str, form: str, between: str = "") -> str:
    return between.join(form.format(byte) for byte in text.encode())


def _characters_of(text: str, form: str, between: str = "") -> str:
    return between.join(form.format(ord(char)) for char in text)


def _ascii_of(encode: Callable[[bytes], bytes], text: str) -> str:
    return encode(text.encode()).decode("ascii")


ENCODINGS: dict[str, Callable[[str], str]] = {
    "base64": partial(_ascii_of, base64.b64encode),
    "base64 without padding": lambda text: _ascii_of(base64.urlsafe_b64encode, text).rstrip("="),
    "base64 twice": lambda text: _ascii_of(base64.b64encode, _ascii_of(base64.b64encode, text)),
    "base32": partial(_ascii_of, base64.b32encode),
    "base85": partial(_ascii_of, base64.b85encode),
    "Ascii85": partial(_ascii_of, partial(base64.a85encode, adobe=True)),
    "hexadecimal": partial(_bytes_of, form="{:02x}"),
    "hexadecimal in capitals": partial(_bytes_of, form="{:02X}"),
    "hexadecimal with spaces": partial(_bytes_of, form="{:02x}", between=" "),
    "escapes of bytes": partial(_bytes_of, form="\\x{:02x}"),
    "octal escapes": partial(_bytes_of, form="\\{:03o}"),
    "binary digits": partial(_bytes_of, form="{:08b}", between=" "),
    "decimal bytes": partial(_bytes_of, form="{:d}", between=" "),
    "percent-encoding": quote,
    "percent-encoding of every byte": partial(_bytes_of, form="%{:02X}"),
    "percent-encoding twice": lambda text: quote(quote(text)),
    "quoted-printable": partial(_ascii_of, quopri.encodestring),
    "quoted-printable of every byte": partial(_bytes_of, form="={:02X}"),
    "decimal character references": partial(_characters_of, form="&#{};"),
    "hexadecimal character references": partial(_characters_of, form="&#x{:x};"),
    "escapes of code points": partial(_characters_of, form="\\u{{{:x}}}"),
    "code points": partial(_characters_of, form="U+{:04X}", between=" "),
    "UTF-7": lambda text: text.encode("utf-7").decode("ascii"),
    "Punycode": lambda text: "xn--" + text.encode("punycode").decode("ascii"),
    "ROT13": lambda text: codecs.encode(text, "rot13"),
    "letters as numbers": lambda text: "-".join(
        str(LETTERS.index(char) + 1) for char in text.lower() if char in LETTERS
    ),
    "Morse code": to_morse,
    "Morse code in typeset marks": partial(to_morse, dot="\u00b7", dash="\u2212"),
    "Braille": to_braille,
}
"""Functions from a text to what stands for it; the text has lone surrogates in none of them."""
