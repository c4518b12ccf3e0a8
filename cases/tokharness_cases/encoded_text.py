"""Text in another code: base64, hexadecimal, percent-encoding, Morse, Braille, hashes, identifiers.

Prompts are full of encoded text: tokens of web sessions, keys, hashes, e-mail in quoted-printable,
links. Attackers write a request in base64 or Morse, which a filter does not decode and a model
does. For a vocabulary, encoded text is random letters, so it costs two to five times the tokens of
the message; a run of digits or capitals without a space is where a merge loop is slow and a limit
on the length of a word applies. A tokenizer that decodes a code, as tokenizers for text from the
web do, changes the text.

Cases: own identifiers, hashes and drawings, then messages in every code. The twin is the message.

Source: RFC 4648 (base64, base32); RFC 3986; RFC 2045 (quoted-printable); RFC 2152 (UTF-7); RFC
3492 (Punycode); RFC 9562 (UUID); ITU-R M.1677 (Morse); Unicode Standard, section 21.1 (Braille).
"""

from __future__ import annotations

import base64
import codecs
import quopri
from functools import partial
from itertools import product
from typing import TYPE_CHECKING
from urllib.parse import quote

from tokharness.model import Case, TargetFacts
from tokharness_cases._family import NO_FACTS, curated_cases, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]


# Encodings that write a text in a few printable characters.

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
    """Write letters and digits in Morse code, and leave out other characters."""
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
"""Functions that encode a text; no encoded text has lone surrogates."""

MESSAGES = (
    *("a", "hi", "SOS", "help me", "the end", "12:30", "caf\u00e9", "\u00fc", "\u4f60\u597d"),
    *("\U0001f600", "<b>", "a=b&c", "\u0434\u0430", "it's", "</s>", "[INST]", "\x00", "\n\n", "~"),
)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Identifiers and hashes, then each message in each code, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("encoded_text")
    for (name, encode), message in product(ENCODINGS.items(), MESSAGES):
        text = encode(message)
        yield Case(text, f"a message in {name}", message)
        if len(text) <= 12:
            yield Case(f"x={text};", f"a message in {name}, in code", f"x={message};")


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random pieces of codes between plain words."""
    from hypothesis import strategies as st

    word = st.text("abcxyz 019\u00e9\u4f60", min_size=1, max_size=6)
    encoded = st.builds(
        lambda encode, text: encode(text), st.sampled_from([*ENCODINGS.values()]), word
    )
    around = mixture(("=", "%20", "0x", to_braille("a"), "...---..."), most=2)
    return st.tuples(encoded, around).map("".join)
