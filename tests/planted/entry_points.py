"""Faults in one entry point only: batches, counts, bytes in and bytes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from planted._builders import (
    change_batches,
    engine,
    tokenizer_with,
    vocabulary,
)
from planted._registry import fault
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import SimpleNamespace


@fault("TOK110", cause="entry points: encode_batch", families=["special-tokens"], longest=20)
def batch_allows_special_tokens() -> SimpleNamespace:
    """Encodes special tokens as their ids in batches only: servers use batches, tests do not."""
    healthy = engine()

    def encode_batch(texts: Sequence[str]) -> list[list[int]]:
        return [healthy.encode_special(text) for text in texts]

    return tokenizer_with(encode_batch=encode_batch, special_tokens=healthy.special_tokens)


@fault("TOK110", cause="entry points: encode_batch", families=["plain-words"])
def batch_drops_empty_texts() -> SimpleNamespace:
    """Leaves empty texts out of a batch, so that later results belong to other texts."""
    return change_batches(texts=lambda texts: [text for text in texts if text])


@fault("TOK110", cause="entry points: encode_batch", families=["plain-words"])
def batch_forgets_duplicates() -> SimpleNamespace:
    """Removes duplicate texts from a batch: the result is shorter than the batch."""
    return change_batches(texts=lambda texts: list(dict.fromkeys(texts)))


@fault("TOK110", cause="entry points: encode_batch", longest=20)
def batch_forgets_twins_of_another_case() -> SimpleNamespace:
    """Encodes texts of a batch once that are equal but for case."""
    return _encode_unlike_texts_once(str.lower)


@fault("TOK110", cause="entry points: encode_batch", longest=20)
def batch_forgets_twins_of_another_form() -> SimpleNamespace:
    """Encodes texts of a batch once that are equal after NFC."""
    return _encode_unlike_texts_once(lambda text: normalize("NFC", text))


def _encode_unlike_texts_once(key: Callable[[str], str]) -> SimpleNamespace:
    """Encode one text of each key in a batch, and return its ids for all texts of this key."""
    encode = engine().encode_ordinary

    def encode_batch(texts: Sequence[str]) -> list[list[int]]:
        first: dict[str, str] = {}
        return [encode(first.setdefault(key(text), text)) for text in texts]

    return tokenizer_with(encode_batch=encode_batch)


def _cached_by(key: Callable[[str], str], call: Callable[[str], Any]) -> Callable[[str], Any]:
    cache: dict[str, Any] = {}
    return lambda text: cache.setdefault(key(text), call(text))


@fault("TOK110", cause="entry points: count", longest=20)
def count_keys_its_cache_by_folded_text() -> SimpleNamespace:
    """Caches counts by the case-folded text, and only counts."""
    encode = engine().encode_ordinary
    return tokenizer_with(count=_cached_by(str.casefold, lambda text: len(encode(text))))


@fault("TOK110", cause="entry points: encode_special", longest=20)
def special_keys_its_cache_by_stripped_text() -> SimpleNamespace:
    """Caches results of encode_special by the text without white space at its ends."""
    healthy = engine()
    return tokenizer_with(
        encode_special=_cached_by(str.strip, healthy.encode_special),
        special_tokens=healthy.special_tokens,
    )


@fault("TOK110", cause="entry points: encode_batch", families=["normal-forms"])
def batch_normalizes() -> SimpleNamespace:
    """Applies NFC in a batch and at no other entry point."""
    return change_batches(texts=lambda texts: [normalize("NFC", text) for text in texts])


def _pad(rows: list[list[int]]) -> list[list[int]]:
    longest = max(map(len, rows), default=0)
    return [row + [0] * (longest - len(row)) for row in rows]


@fault("TOK110", cause="entry points: encode_batch", families=["plain-words"])
def batch_pads() -> SimpleNamespace:
    """Pads the rows of a batch with zeros to the longest one, though 0 is a token."""
    return change_batches(rows=_pad)


@fault("TOK110", cause="entry points: encode_batch", families=["plain-words"])
def batch_sorts_by_length() -> SimpleNamespace:
    """Sorts a batch by length, to pad less, and does not restore the order."""
    return change_batches(texts=lambda texts: sorted(texts, key=len))


def _truncate_to_shortest(rows: list[list[int]]) -> list[list[int]]:
    return [list(row) for row in zip(*zip(*rows, strict=False), strict=False)]


@fault("TOK110", cause="entry points: encode_batch", families=["plain-words"])
def batch_truncates_to_the_shortest() -> SimpleNamespace:
    """Truncates all rows of a batch to the shortest one, to build a matrix."""
    return change_batches(rows=_truncate_to_shortest)


def _reverse_after_a_thousand(rows: list[list[int]]) -> list[list[int]]:
    return [*rows[:1000], *(row[::-1] for row in rows[1000:])]


@fault("TOK110", cause="entry points: encode_batch")
def batch_reverses_after_a_thousand() -> SimpleNamespace:
    """Returns the ids of the texts after the first thousand in reverse order."""
    return change_batches(rows=_reverse_after_a_thousand)


@fault("TOK110", cause="entry points: count", families=["plain-words"])
def counts_characters() -> SimpleNamespace:
    """Estimates the count as a quarter of the characters, a rule of thumb."""
    return tokenizer_with(count=lambda text: -(-len(text) // 4))


@fault("TOK110", cause="entry points: count", families=["emoji"])
def counts_one_less_with_emoji() -> SimpleNamespace:
    """Counts one token too few in a text with an emoji, which then exceeds a limit."""
    encode = engine().encode_ordinary
    return tokenizer_with(
        count=lambda text: len(encode(text)) - (max(text, default="") >= "\U0001f600")
    )


@fault("TOK110", cause="entry points: count", families=["long-inputs"], longest=8200)
def counts_up_to_4096() -> SimpleNamespace:
    """Counts up to 4,096 tokens, which its caller takes for the size of the text."""
    encode = engine().encode_ordinary
    return tokenizer_with(count=lambda text: min(len(encode(text)), 4096))


@fault("TOK110", cause="entry points: decode_bytes", families=["emoji"])
def decode_bytes_is_not_decode() -> SimpleNamespace:
    """Returns surrogate pairs as separate surrogates in decode_bytes, and characters in decode."""
    healthy = engine()

    def decode_bytes(ids: Sequence[int]) -> bytes:
        units = healthy.decode(ids).encode("utf-16-le", "surrogatepass")
        pairs = (
            units[at : at + 2].decode("utf-16-le", "surrogatepass")
            for at in range(0, len(units), 2)
        )
        return "".join(pairs).encode("utf-8", "surrogatepass")

    return tokenizer_with(decode_bytes=decode_bytes)


def _decode_or_latin_1(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


@fault("TOK111", cause="invalid UTF-8: letters of Latin-1", families=["invalid-utf8"])
def encode_bytes_reads_latin_1() -> SimpleNamespace:
    """Decodes invalid UTF-8 as Latin-1: every byte above 127 becomes two."""
    healthy = engine()
    return tokenizer_with(
        encode_bytes=lambda data: healthy.encode_ordinary(_decode_or_latin_1(data)),
        decode_bytes=healthy.decode_bytes,
    )


@fault("TOK111", cause="invalid UTF-8: U+FFFD", families=["invalid-utf8"])
def encode_bytes_replaces() -> SimpleNamespace:
    """Decodes bytes as UTF-8 with U+FFFD for invalid ones: other bytes come back."""
    healthy = engine()
    return tokenizer_with(
        encode_bytes=lambda data: healthy.encode_ordinary(data.decode("utf-8", "replace")),
        decode_bytes=healthy.decode_bytes,
    )


@fault("TOK111", cause="invalid UTF-8: other bytes", families=["invalid-utf8"])
def encode_bytes_takes_overlong_forms() -> SimpleNamespace:
    """Reads an overlong form as the character it encodes, which gets past every byte filter."""
    healthy = engine()
    reference = vocabulary()
    return tokenizer_with(
        encode_bytes=lambda data: reference.encode_bytes(data.replace(b"\xc0\x80", b"\x00")),
        decode_bytes=healthy.decode_bytes,
    )
