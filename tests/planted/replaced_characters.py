"""Faults that replace, add or reorder characters in the text before it is encoded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from planted._builders import (
    engine,
    preprocess,
    substitute,
    tokenizer_with,
    vocabulary,
)
from planted._registry import fault
from tokharness.unicode.properties import digit_sets

if TYPE_CHECKING:
    from types import SimpleNamespace


@fault("TOK101", cause="replaced characters: characters beyond the BMP", families=["emoji"])
def beyond_the_bmp_to_fffd() -> SimpleNamespace:
    """Replaces characters that do not fit 16 bits by U+FFFD: emoji and rare Han become one."""
    return preprocess(lambda text: "".join(c if ord(c) <= 0xFFFF else "\ufffd" for c in text))


@fault("TOK101", cause="added characters: U+0020 SPACE, inside", families=["emoji"])
def breaks_emoji_sequences() -> SimpleNamespace:
    """Puts a space between the parts of a joined emoji: a family becomes three people."""
    return substitute(r"(?<=\p{Extended_Pictographic}\u200D)(?=\p{Extended_Pictographic})", " ")


@fault("TOK101", cause="added characters: U+2069", families=["bidi"])
def closes_isolates_left_open() -> SimpleNamespace:
    """Closes nested bidirectional isolates that are left open, as a safe template does."""
    return substitute(r"(\u2067[^\u2066-\u2069]*\u2066[^\u2066-\u2069]*)$", "\\1\u2069\u2069")


def _encode_cesu_8(text: str) -> bytes:
    halves = text.encode("utf-16-le", "surrogatepass")
    units = (
        halves[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(halves), 2)
    )
    return b"".join(unit.encode("utf-8", "surrogatepass") for unit in units)


@fault(
    "TOK101",
    cause="replaced characters: characters beyond the BMP",
    families=["variation-selectors"],
)
def encodes_surrogates_of_pairs() -> SimpleNamespace:
    """Encodes characters beyond the BMP as CESU-8, three bytes per surrogate: invalid UTF-8."""
    ranks, encode = vocabulary().ranks, engine().encode_ordinary

    def encode_as_cesu_8(text: str) -> list[int]:
        if max(text, default="") <= "\uffff":
            return encode(text)
        return [ranks[bytes([byte])] for byte in _encode_cesu_8(text)]

    return tokenizer_with(encode=encode_as_cesu_8)


@fault("TOK101", cause="replaced characters: characters beyond Latin-1", families=["plain-words"])
def latin_1_only() -> SimpleNamespace:
    """Replaces every character outside Latin-1 by a question mark: most languages are lost."""
    return preprocess(lambda text: text.encode("latin-1", "replace").decode("latin-1"))


CYRILLIC_TO_LATIN = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455",
    "aeopcyxijs",
)


@fault("TOK101", cause="replaced characters: U+0430", families=["homoglyphs"])
def reads_cyrillic_lookalikes_as_latin() -> SimpleNamespace:
    """Replaces Cyrillic letters by the Latin ones they look like: spoofing ends, Russian breaks."""
    return preprocess(lambda text: text.translate(CYRILLIC_TO_LATIN))


@fault("TOK101", cause="replaced characters: Nd beyond ASCII", families=["digits"])
def reads_every_digit_as_ascii() -> SimpleNamespace:
    """Replaces the digits of all scripts by ASCII digits, as Python's int does."""
    table = {
        ord(digit): str(value) for digits in digit_sets() for value, digit in enumerate(digits)
    }
    return preprocess(lambda text: text.translate(table))


@fault("TOK101", cause="text changed", families=["homoglyphs"])
def reads_one_lookalike_within_words() -> SimpleNamespace:
    """Replaces one Cyrillic letter inside Latin words by the Latin letter it looks like."""
    return substitute(r"(?<=[a-z]{2})\u0440", "p")


@fault("TOK101", cause="replaced characters: U+E0020", families=["tag-smuggling"])
def reads_tags_as_ascii() -> SimpleNamespace:
    """Replaces tag characters by the ASCII they mirror: invisible text becomes instructions."""
    return preprocess(
        lambda text: text.translate({0xE0000 + low: low for low in range(0x20, 0x7F)})
    )


@fault("TOK101", cause="text changed", families=["byte-alphabet"])
def repairs_mojibake() -> SimpleNamespace:
    """Repairs UTF-8 that was decoded as Latin-1, and also text that only looks like it."""
    return substitute("\u00c3([\u00a0-\u00bf])", lambda pair: chr(0x40 + ord(pair[1])))


@fault("TOK101", cause="surrogates: other text", families=["surrogates"])
def replaces_surrogates_by_question_marks() -> SimpleNamespace:
    """Replaces a lone surrogate by a question mark, which looks like a real one."""
    return preprocess(lambda text: re.sub("[\ud800-\udfff]", "?", text))


@fault("TOK101", cause="text changed", families=["bidi"])
def stores_overrides_reversed() -> SimpleNamespace:
    """Stores the text between U+202E and U+202C in its display order."""
    return substitute(r"\u202E([^\u202C]*)\u202C", lambda run: run[1][::-1])


@fault("TOK101", cause="replaced characters: U+2018", families=["contractions"])
def straightens_quotes() -> SimpleNamespace:
    """Straightens curly quotes, which creates contractions that were not there."""
    return preprocess(
        lambda text: text.translate(str.maketrans("\u2018\u2019\u201c\u201d", "''\"\""))
    )


@fault("TOK101", cause="reordered characters", families=["emoji"])
def swaps_regional_indicators() -> SimpleNamespace:
    """Moves the first of every three regional indicators to the end: flags become other flags."""
    return substitute(
        "([\U0001f1e6-\U0001f1ff])([\U0001f1e6-\U0001f1ff])([\U0001f1e6-\U0001f1ff])", r"\2\3\1"
    )


@fault("TOK101", cause="text changed", families=["code"])
def writes_operators_as_ligatures() -> SimpleNamespace:
    """Replaces an operator in code by the sign that a programming font shows for it."""
    return preprocess(lambda text: text.replace(">>>=", "\u226b="))
