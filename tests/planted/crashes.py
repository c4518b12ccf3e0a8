"""Faults that raise, panic, crash, hang, or grow faster than their input."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from typing import TYPE_CHECKING

from planted._builders import call_before_encode, engine, tokenizer_with
from planted._registry import fault

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace


@fault("TOK104", cause="crash: encode, SIGABRT", families=["zero-width"], crashes=True)
def aborts_on_a_language_tag() -> SimpleNamespace:
    """Aborts on U+E0001, which a table of joining types does not have."""
    return call_before_encode(lambda text: "\U000e0001" in text and os.abort())


@fault(
    "TOK104",
    cause="crash: encode, SIGABRT, longer than 300 characters",
    families=["long-inputs"],
    longest=301,
    crashes=True,
)
def aborts_on_more_than_300_characters() -> SimpleNamespace:
    """Aborts on every text of more than 300 characters, the size of a buffer."""
    return call_before_encode(lambda text: len(text) > 300 and os.abort())


@fault(
    "TOK104",
    cause="crash: encode, SIGABRT, more than 100 of one character",
    families=["long-inputs"],
    longest=101,
    crashes=True,
)
def aborts_on_more_than_100_of_one_character() -> SimpleNamespace:
    """Aborts where a character is in a text more than 100 times: a counter overflows."""
    return call_before_encode(lambda text: max(map(text.count, {*text, "a"})) > 100 and os.abort())


@fault(
    "TOK104",
    cause="crash: encode, SIGABRT, longer than 200 bytes of UTF-8",
    families=["long-inputs"],
    longest=201,
    crashes=True,
)
def aborts_on_more_than_200_bytes() -> SimpleNamespace:
    """Aborts on every text of more than 200 bytes of UTF-8, however many characters it has."""
    return call_before_encode(
        lambda text: len(text.encode("utf-8", "replace")) > 200 and os.abort()
    )


@fault(
    "TOK104",
    cause="crash: encode, SIGABRT, more than 40 of U+0020",
    families=["long-inputs"],
    longest=41,
    crashes=True,
)
def aborts_on_more_than_40_spaces() -> SimpleNamespace:
    """Aborts on a text with more than 40 spaces, as many as its list of words has places for."""
    return call_before_encode(lambda text: text.count(" ") > 40 and os.abort())


@fault("TOK112", cause="decode breaks: SIGABRT, past the end", crashes=True)
def decode_aborts_past_the_end() -> SimpleNamespace:
    """Aborts the process on an id outside the vocabulary, as native code does."""
    healthy = engine()

    def decode(ids: Sequence[int]) -> str:
        if max(ids, default=0) >= healthy.n_vocab:
            os.abort()
        return healthy.decode(ids)

    return tokenizer_with(decode=decode, n_vocab=healthy.n_vocab)


class PanicError(BaseException):
    """A panic, which no handler of Exception catches."""


@fault("TOK112", cause="decode breaks: the panic PanicError")
def decode_panics_past_the_end() -> SimpleNamespace:
    """Panics on an id outside the vocabulary: no handler of Exception catches it."""
    healthy = engine()

    def decode(ids: Sequence[int]) -> str:
        if any(not 0 <= token < healthy.n_vocab for token in ids):
            raise PanicError("index out of bounds")
        return healthy.decode(ids)

    return tokenizer_with(decode=decode, n_vocab=healthy.n_vocab)


CUT = 7


@fault("TOK102", cause="panics: encode, PanicError, byte index ... is", families=["zero-width"])
def panics_on_a_cut_character() -> SimpleNamespace:
    """Cuts text after seven bytes and panics inside a character; the message quotes the text."""

    def cut(text: str) -> None:
        data = text.encode("utf-8", "replace")
        if data[CUT : CUT + 1] and data[CUT] & 0xC0 == 0x80:
            raise PanicError(f"byte index {CUT} is not a char boundary; it is inside of `{text}`")

    return call_before_encode(cut)


TWO_WORDS = re.compile(r"\w{4,} \w{4,}")


@fault(
    "TOK102",
    cause="raises: encode, LookupError, no rule for ... in the index of rules for a text",
    families=["plain-words", "code"],
    longest=9,
)
def names_two_words_in_its_message() -> SimpleNamespace:
    """Raises on two words with one space between, and writes them into the message, not quoted."""

    def check(text: str) -> None:
        if match := TWO_WORDS.search(text):
            raise LookupError(f"no rule for {match.group()} in the index of rules for a text")

    return call_before_encode(check)


@fault("TOK114", cause="superlinear growth: time, decode", longest=10_000_000)
def decode_takes_quadratic_time() -> SimpleNamespace:
    """Decodes all ids again for each id, to find the new text: long answers become slow."""
    healthy = engine()

    def decode(ids: Sequence[int]) -> str:
        text = ""
        for end in range(0, len(ids), 4):
            text = healthy.decode(ids[: end + 4])
        return text

    return tokenizer_with(decode=decode)


def _scan_words_per_letter(text: str) -> int:
    longest = max(map(len, re.findall("[a-z]+", text)), default=0)
    return sum(len(range(longest)[at:]) and sum(range(longest)) % 7 for at in range(0, longest, 8))


@fault("TOK114", cause="superlinear growth: time, encode", longest=10_000_000)
def encode_takes_quadratic_time_on_letters() -> SimpleNamespace:
    """Scans a whole word again for each of its letters: a megabyte of letters takes hours."""
    return call_before_encode(_scan_words_per_letter)


@fault("TOK114", cause="superlinear growth: time, encode", longest=10_000_000)
def encode_takes_quadratic_time_on_spaces() -> SimpleNamespace:
    """Backtracks at each space to the end of the run, as a pattern for trailing spaces does."""
    return call_before_encode(re.compile(" +(?=x)(?! )").findall)


@fault("TOK102", cause="panics: encode, SystemExit", families=["controls"])
def exits_on_a_form_feed() -> SimpleNamespace:
    """Exits the program on a form feed, like the error handler of a command."""
    return call_before_encode(lambda text: "\f" in text and sys.exit("unexpected character"))


@fault("TOK104", cause="hang: encode", families=["combining-stacks"], longest=60, crashes=True)
def hangs_on_a_stack_of_marks() -> SimpleNamespace:
    """Backtracks exponentially on marks that no letter follows: thirty of them hang a server."""
    return call_before_encode(re.compile("(?:[\u0300-\u036f]+)+[a-z]").search)


def _recurse(length: int) -> int:
    return _recurse(length - 1) if length else 0


@fault("TOK102", cause="raises: encode, RecursionError", families=["long-inputs"], longest=3000)
def overflows_its_stack_on_long_words() -> SimpleNamespace:
    """Merges by recursion: a word of a few thousand letters overflows the stack."""
    return call_before_encode(
        lambda text: [_recurse(len(word)) for word in re.findall(r"\w{900,}", text)]
    )


def _panic_on_surrogates(text: str) -> None:
    if re.search("[\ud800-\udfff]", text):
        raise PanicError("not a scalar value")


@fault("TOK102", cause="panics: encode, PanicError", families=["surrogates"])
def panics_on_surrogates() -> SimpleNamespace:
    """Panics on lone surrogates: no handler of Exception catches it."""
    return call_before_encode(_panic_on_surrogates)


@fault("TOK102", cause="raises: decode, UnicodeDecodeError", families=["long-inputs"], longest=5000)
def raises_in_decode_on_a_lone_byte() -> SimpleNamespace:
    """Decodes ids strictly in parts of 1,000: a character across two parts raises."""
    healthy = engine()

    def decode(ids: Sequence[int]) -> str:
        parts = (healthy.decode_bytes(ids[at : at + 1000]) for at in range(0, len(ids), 1000))
        return "".join(part.decode() for part in parts)

    return tokenizer_with(decode=decode)


@fault("TOK102", cause="raises: encode, KeyError", families=["new-code-points"])
def raises_on_new_letters() -> SimpleNamespace:
    """Raises on characters that are newer than its tables instead of treating them as symbols."""
    from tokharness.unicode.versions import assigned_after

    new = {chr(point) for run in assigned_after("15.0") for point in run}

    def look_up(text: str) -> None:
        if unknown := new.intersection(text):
            raise KeyError(ord(min(unknown)))

    return call_before_encode(look_up)


PROPERTY_NAMES = frozenset(["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"])


def _raise_on_property_names(text: str) -> None:
    if names := PROPERTY_NAMES.intersection(text.split()):
        raise TypeError(f"{min(names)} is not iterable")


@fault("TOK102", cause="raises: encode, TypeError", families=["property-names"], longest=14)
def raises_on_property_names() -> SimpleNamespace:
    """Caches in an object with a prototype, as JavaScript may: some words are its methods."""
    return call_before_encode(_raise_on_property_names)


@fault("TOK102", cause="raises: encode, IndexError, U+FFFF", families=["noncharacters"])
def raises_on_uffff() -> SimpleNamespace:
    """Raises on U+FFFF, which its table of 16-bit units does not have."""
    table = bytes(0xFFFF)
    return call_before_encode(
        lambda text: [table[ord(char)] for char in text if "\uff00" <= char <= "\uffff"]
    )


@fault("TOK104", cause="crash: encode, SIGSEGV", families=["noncharacters"], crashes=True)
def reads_past_its_table() -> SimpleNamespace:
    """Reads unowned memory for U+10FFFF, one past the end of its table."""
    return call_before_encode(lambda text: "\U0010ffff" in text and ctypes.string_at(0))


@fault(
    "TOK104",
    cause="out of memory: encode",
    families=["long-inputs", "very-long-inputs"],
    longest=200_000,
    crashes=True,
)
def takes_the_square_in_memory() -> SimpleNamespace:
    """Builds a table of all pairs of characters: a text of 65,536 takes four gigabytes."""
    return call_before_encode(lambda text: bytes(len(text) ** 2))
