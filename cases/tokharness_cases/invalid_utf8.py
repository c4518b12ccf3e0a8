"""Invalid UTF-8: overlong, truncated, out of range, stray bytes, and encoded surrogates.

A string cannot hold invalid UTF-8, but bytes can: a file in another encoding, a buffer cut in the
middle of a character, a name from Java or an old Windows. The texts are such bytes as Python
carries them in a string (PEP 383, ``surrogateescape``: the byte 0xNN is U+DCNN), so a check of an
entry point for bytes restores them with ``text.encode("utf-8", "surrogateescape")``. That entry
point must return the same bytes. An entry point for strings may refuse the text or replace it by
U+FFFD, and must document this. Typical faults: C0 80 decoded as NUL and C0 AF as a slash, which
passes filters; ED A0 80 accepted; a run of invalid bytes that becomes one U+FFFD here and four
there; a buffer read past its end after F0; the letter after an invalid byte lost.

The twin is the decoded text with U+FFFD for invalid bytes.

Source: the Unicode Standard, table 3-7 and section 3.9 (substitution of maximal subparts); RFC
3629; RFC 2279 (five and six bytes); UTR #26 (CESU-8); PEP 383.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness_cases._family import NO_FACTS, curated_cases, plural, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

KINDS = {
    "an overlong form": (
        *("C080", "C081", "C09B", "C0A0", "C0AF", "C0BF", "C180", "C181", "C1BF", "E08080"),
        *("E080AF",),
        *("E081BF", "E08280", "E09FBF", "F0808080", "F08080AF", "F0808A80", "F08F8080", "F08FBFBF"),
        *("F880808080", "F8808080AF", "F887BFBFBF", "FC8080808080", "FC80808080AF", "FC83BFBFBFBF"),
    ),
    "beyond U+10FFFF": (
        *("F4908080", "F490BFBF", "F4BFBFBF", "F5808080", "F5BFBFBF", "F6808080", "F7BFBFBF"),
        *("F888808080", "FBBFBFBFBF", "FC8480808080", "FDBFBFBFBFBF", "FE8080808080", "FEFF"),
        *("FFFE", "FEFEFFFF", "FFFFFFFF", "0000FEFF", "FFFE0000"),
    ),
    "a surrogate written as three bytes": (
        *("EDA080", "EDA081", "EDADBF", "EDAE80", "EDAFBF", "EDB080", "EDBE80", "EDBFBF", "EDA0BD"),
        *("EDB880", "EDA0", "EDBF", "EDA07F", "EDA0C0"),
    ),
    "a pair of surrogates as six bytes": (
        *("EDA080EDB080", "EDA0BDEDB880", "EDADBFEDB080", "EDAE80EDBFBF", "EDAFBFEDBFBF"),
        *("EDB080EDA080", "EDB880EDA0BD", "EDA0BDEDA0BDEDB880", "EDA0BDEDB880EDB880"),
        *("EDA0BD61EDB880",),
    ),
}
WHOLE = (
    *("\u0080", "\u00e9", "\u07ff", "\u0800", "\u4e2d", "\ud7ff", "\ufffd", "\uffff"),
    *("\U00010000", "\U0001f600", "\U000e0041", "\U000fffff", "\U0010ffff"),
)
CONTEXTS = (
    *((b"", b""), (b"a", b"b"), (b"", b"'s"), (b" ", b""), (b"word", b""), (b"", b"\n")),
    *((b"1", b"2"),),
    *((b"\xc3\xa9", b"\xc3\xa9"), (b"\xf0\x9f\x98\x80", b"a"), (b"\x00", b"\x00"), (b"", b"\x80")),
)
ENDS = (
    *(0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC),
    *(0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF),
)
"""Both ends of every range of bytes that table 3-7 distinguishes."""
LEADS = (0xC1, 0xC2, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5)
SECOND = (0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xE1)
THIRD = (0x41, 0x80, 0xBF, 0xC2, 0xF0)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every kind of invalid sequence in context, then bytes and pairs, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("invalid_utf8")
    for why, sequences in KINDS.items():
        for data in map(bytes.fromhex, sequences):
            yield from _in_contexts(data, why)
    for character in WHOLE:
        yield from _truncated(character.encode())
    for number, byte in product(range(1, 8), (0x80, 0xBF, 0xC2, 0xE1, 0xF0, 0xFF)):
        yield from _in_contexts(
            bytes([byte] * number), f"{plural(number, 'time')} the byte {byte:02X}"
        )
    for byte in range(0x80, 0x100):
        yield from _in_contexts(bytes([byte]), f"the byte {byte:02X} alone")
    for two in product(ENDS, repeat=2):
        why = "two bytes of any classes"
        yield from _case(bytes(two), why)
        yield from _case(b"a" + bytes(two) + b"b", why)
    for three in product(LEADS, SECOND, THIRD):
        yield from _case(bytes(three), "three bytes, the later ones of any class")
        yield from _case(bytes(three) + b"\x80a", "four bytes, the later ones of any class")


def _truncated(data: bytes) -> Iterator[Case]:
    """A character without its end, its beginning or one of its bytes."""
    for length in range(1, len(data)):
        yield from _in_contexts(data[:length], f"{length} of {len(data)} bytes of a character")
        yield from _in_contexts(data[length:], "a character without its first bytes")
        for text, why in (
            (data[:length] + data, "the start of a character, then the whole"),
            (data + data[length:], "a character, then its last bytes"),
            (data[:length] * 2, "the start of a character, twice"),
            (data[:length] + b"a" + data[length:], "a letter inside a character"),
            (data[:length] + b"\xff" + data[length:], "a byte FF inside a character"),
            (data[::-1], "the bytes of a character backwards"),
        ):
            yield from _case(text, why)


def _in_contexts(data: bytes, why: str) -> Iterator[Case]:
    for before, after in CONTEXTS:
        yield from _case(before + data + after, why)


def _case(data: bytes, why: str) -> Iterator[Case]:
    """Yield a case if the bytes in their context are invalid UTF-8."""
    text = _text(data)
    if _is_invalid(text):
        yield Case(text, why, data.decode("utf-8", "replace"))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _is_invalid(text: str) -> bool:
    return any("\udc80" <= char <= "\udcff" for char in text)


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random bytes and invalid sequences among plain pieces."""
    from hypothesis import strategies as st

    invalid = [bytes.fromhex(digits) for kind in KINDS.values() for digits in kind]
    single = st.integers(0x80, 0xFF).map(lambda byte: bytes([byte]))
    plain = st.sampled_from((b"a", b" ", b"1", b"'s", b"\n", *(char.encode() for char in WHOLE)))
    piece = st.one_of(plain, single, st.sampled_from(invalid), st.binary(max_size=4))
    around = st.lists(piece, max_size=4).map(b"".join)
    data = st.tuples(around, st.one_of(single, st.sampled_from(invalid)), around).map(b"".join)
    return data.map(_text).filter(_is_invalid)
