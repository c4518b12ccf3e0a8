"""Faults that appear above a limit: truncated texts and runs of marks."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from planted._builders import engine, preprocess, substitute, tokenizer_with
from planted._registry import fault

if TYPE_CHECKING:
    from types import SimpleNamespace


@fault("TOK101", cause="added characters: U+034F", families=["combining-stacks"], longest=61)
def inserts_grapheme_joiners() -> SimpleNamespace:
    """Inserts U+034F after every thirty marks, as the Stream-Safe Text Process does."""
    return substitute(r"(\p{Mn}{30})(?=\p{Mn})", "\\1\u034f")


@fault("TOK101", cause="dropped characters: several", families=["combining-stacks"], longest=33)
def keeps_thirty_marks() -> SimpleNamespace:
    """Keeps thirty marks per letter, the limit of Stream-Safe Text, and drops the rest."""
    return substitute(r"(\p{M}{30})\p{M}+", r"\1")


@fault(
    "TOK101",
    cause="dropped characters:",
    families=["combining-stacks"],
    longest=2200,
    profile="standard",
)
def keeps_two_thousand_marks() -> SimpleNamespace:
    """Keeps 2,000 marks per letter, the size of a buffer, and drops the rest."""
    return substitute(r"(\p{L}[\u0300-\u036F]{2000})[\u0300-\u036F]+", r"\1")


@fault("TOK101", cause="truncated: 512 tokens", families=["long-inputs"], longest=2000)
def truncates_after_512_tokens() -> SimpleNamespace:
    """Returns the first 512 ids, the default length of an old model."""
    encode = engine().encode_ordinary
    return tokenizer_with(encode=lambda text: encode(text)[:512])


@fault("TOK116", cause="cuts long texts", against="reference", longest=1100)
def encodes_windows_of_1024_characters() -> SimpleNamespace:
    """Encodes each 1,024 characters of a text on their own, in threads, and joins the ids."""
    encode = engine().encode_ordinary

    def encode_windows(text: str) -> list[int]:
        return [
            number for at in range(0, len(text), 1024) for number in encode(text[at : at + 1024])
        ]

    return tokenizer_with(encode=encode_windows)


@fault(
    "TOK201",
    cause="cuts long texts",
    families=["long-inputs"],
    against="reference",
    longest=25_300,
)
def cuts_after_25000_characters_without_white_space() -> SimpleNamespace:
    """Cuts a text where 25,000 characters have no white space, or are all white space."""
    encode = engine().encode_ordinary
    runs = re.compile(r"\S{1,25000}|\s{1,25000}")

    def encode_parts(text: str) -> list[int]:
        starts = [found.start() for found in runs.finditer(text)]
        cuts = [at for at in starts if at and text[at].isspace() == text[at - 1].isspace()]
        parts = pairwise([0, *cuts, len(text)])
        return [number for start, end in parts for number in encode(text[start:end])]

    return tokenizer_with(encode=encode_parts)


@fault("TOK101", cause="truncated: 60000 characters", families=["long-inputs"], longest=60_001)
def truncates_after_60000_characters() -> SimpleNamespace:
    """Truncates texts after 60,000 characters, as a database field does."""
    return preprocess(lambda text: text[:60_000])


@fault("TOK101", cause="truncated: 8192 characters", families=["long-inputs"], longest=8193)
def truncates_after_8192_characters() -> SimpleNamespace:
    """Silently truncates texts after 8,192 characters: the end of a document is never read."""
    return preprocess(lambda text: text[:8192])


@fault(
    "TOK101",
    cause="truncated: 500000 characters",
    families=["very-long-inputs"],
    longest=510_000,
    profile="standard",
)
def truncates_after_half_a_million_characters() -> SimpleNamespace:
    """Truncates texts after 500,000 characters: only very long texts show it."""
    encode = engine().encode_ordinary
    return tokenizer_with(encode=lambda text: encode(text[:500_000]))


@fault(
    "TOK101",
    cause="truncated: an end of fewer than 500 characters",
    families=["long-inputs"],
    against="reference",
    longest=501,
)
def drops_the_last_part_of_500_characters() -> SimpleNamespace:
    """Reads a long text in parts of 500 characters, and drops a last part that is not full."""
    return preprocess(lambda text: text[: max(len(text) // 500, 1) * 500])


@fault(
    "TOK101",
    cause="truncated: an end of fewer than 8 bytes behind each 256",
    families=["long-inputs"],
    against="reference",
    longest=257,
)
def drops_short_parts_of_256_bytes() -> SimpleNamespace:
    """Reads a long text in parts of 256 bytes, and drops a last part of up to seven bytes."""

    def without_short_part(text: str) -> str:
        data = text.encode("utf-8", "surrogatepass")
        whole = len(data) // 256 * 256
        is_lost = whole and 0 < len(data) - whole < 8
        return data[:whole].decode("utf-8", "ignore") if is_lost else text

    return preprocess(without_short_part)


@fault("TOK101", cause="truncated: U+0000", families=["controls"])
def truncates_at_null() -> SimpleNamespace:
    """Passes the text to C as a string, which ends at NUL: the rest gets past every filter."""
    return preprocess(lambda text: text.partition("\x00")[0])
