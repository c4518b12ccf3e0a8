"""Faults of state: results that depend on earlier calls, caches or other threads."""

from __future__ import annotations

import codecs
import random
import re
import sys
import threading
import zlib
from itertools import count
from typing import TYPE_CHECKING

from planted._builders import cache_by, engine, tokenizer_with, vocabulary
from planted._registry import fault
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

DROPOUT = 0.1


@fault("TOK109", cause="state", families=["normal-forms"], longest=60, profile="standard")
def every_thousandth_call_differs() -> SimpleNamespace:
    """Returns unmerged bytes at every 1,000th call, as after a cache reset."""
    ranks, healthy, calls = vocabulary().ranks, engine(), count(1)

    def encode(text: str) -> list[int]:
        ids = healthy.encode_ordinary(text)
        if next(calls) % 1000:
            return ids
        return [ranks[bytes([byte])] for byte in healthy.decode_bytes(ids)]

    return tokenizer_with(encode=encode)


@fault("TOK109", cause="random segmentation", families=["plain-words"], longest=30)
def drops_merges_at_random() -> SimpleNamespace:
    """Leaves out each merge with a probability of a tenth, as BPE dropout does in training."""
    ranks, healthy, draw = vocabulary().ranks, engine(), random.Random(0)

    def encode(text: str) -> list[int]:
        ids = healthy.encode_ordinary(text)
        parts = (
            [number]
            if draw.random() > DROPOUT
            else [ranks[bytes([byte])] for byte in healthy.decode_bytes([number])]
            for number in ids
        )
        return [number for part in parts for number in part]

    return tokenizer_with(encode=encode)


@fault("TOK109", cause="state", families=["plain-words"], longest=30)
def forgets_ids_in_its_results() -> SimpleNamespace:
    """Extends its cached list after each call: the next call for the same text has an extra id."""
    cache: dict[str, list[int]] = {}
    encode = engine().encode_ordinary

    def encode_cached(text: str) -> list[int]:
        ids = cache.setdefault(text, encode(text))
        result = list(ids)
        ids += ids[:1]
        return result

    return tokenizer_with(encode=encode_cached)


@fault(
    "TOK109",
    cause="state: a cache that confuses texts that have nothing in common",
    families=["plain-words"],
    longest=30,
)
def keys_its_cache_by_hash() -> SimpleNamespace:
    """Caches results by a hash with few values and does not compare the texts."""
    return cache_by(lambda text: zlib.crc32(text.encode("utf-8", "surrogatepass")) % 997)


@fault(
    "TOK109",
    cause="state: a cache that confuses texts equal but for case",
    families=["plain-words"],
    longest=30,
)
def keys_its_cache_by_lower_case() -> SimpleNamespace:
    """Caches results by the lowercase text: the second of two texts gets the ids of the first."""
    return cache_by(str.lower)


@fault(
    "TOK109",
    cause="state: a cache that confuses texts equal after NFC",
    families=["plain-words"],
    longest=30,
)
def keys_its_cache_by_normal_form() -> SimpleNamespace:
    """Caches results by the NFC of the text: the first of two spellings decides."""
    return cache_by(lambda text: normalize("NFC", text))


@fault(
    "TOK109",
    cause="state: a cache that confuses texts with the same first 16 characters",
    families=["plain-words"],
    longest=30,
)
def keys_its_cache_by_sixteen_characters() -> SimpleNamespace:
    """Caches results by the first 16 characters of the text, to save memory."""
    return cache_by(lambda text: text[:16])


@fault(
    "TOK109",
    cause="state: a cache that confuses texts equal but for a space",
    families=["plain-words"],
    longest=30,
)
def keys_its_cache_by_stripped_text() -> SimpleNamespace:
    """Caches results by the text without white space at its ends."""
    return cache_by(str.strip)


@fault("TOK112", cause="state: decode")
def leaks_bytes_between_decodes() -> SimpleNamespace:
    """Keeps the bytes of an incomplete character, and starts the next decode with them."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    decode, data = decoder.decode, engine().decode_bytes
    return tokenizer_with(decode=lambda ids: decode(data(ids)), n_vocab=engine().n_vocab)


# Only a new process confirms this state, hence ``crashes``.
@fault("TOK101", cause="state", families=["emoji", "letter-case"], crashes=True)
def lowercases_after_emoji() -> SimpleNamespace:
    """Lowercases every text after the first emoji it sees: a flag that is never reset."""
    seen, encode = set[str](), engine().encode_ordinary

    def encode_or_lowercase(text: str) -> list[int]:
        ids = encode(text.lower() if seen else text)
        seen.update(text[:1] if "\U0001f600" in text else "")
        return ids

    return tokenizer_with(encode=encode_or_lowercase)


@fault("TOK109", cause="state: threads", families=["plain-words"], longest=30)
def races_on_a_shared_buffer() -> SimpleNamespace:
    """Collects the ids of all threads in one list: concurrent calls mix their texts."""
    reference, encode, ids = vocabulary(), engine().encode_ordinary, list[int]()

    def encode_into_buffer(text: str) -> list[int]:
        ids.clear()
        for piece in reference.pretokens(text):
            ids.extend(encode(piece))  # native code, during which other threads run
        return list(ids)

    return tokenizer_with(encode=encode_into_buffer)


@fault("TOK112", cause="state: decode")
def decoder_never_recovers_from_a_cut() -> SimpleNamespace:
    """Begins every text with U+FFFD once it has decoded an incomplete character."""
    healthy, cut = engine(), list[bool]()

    def decode(ids: Sequence[int]) -> str:
        data = healthy.decode_bytes(ids)
        text = data.decode("utf-8", "replace")
        if cut:
            return f"\ufffd{text}"
        if text.encode() != data:
            cut.append(True)
        return text

    return tokenizer_with(decode=decode, n_vocab=healthy.n_vocab)


# Only a worker loads the target in other processes, hence ``crashes``.
@fault("TOK109", cause="state: the hash seed of the process", longest=20, crashes=True)
def numbers_its_added_tokens_by_hash() -> SimpleNamespace:
    """Gives ids to added tokens in the order of a set, which each process has another one of."""
    healthy = engine()
    texts = {f"<tool_{letter}>" for letter in "abcdefgh"}
    ids = {text: healthy.n_vocab + place for place, text in enumerate(texts)}
    text_of = {number: text for text, number in ids.items()}
    tokens = re.compile(f"({'|'.join(sorted(ids))})")

    def encode(text: str) -> list[int]:
        parts = tokens.split(text)
        rows = ([ids[part]] if part in ids else healthy.encode_ordinary(part) for part in parts)
        return [number for row in rows for number in row]

    def decode(row: Sequence[int]) -> str:
        data = (
            text_of[n].encode() if n in text_of else healthy.decode_single_token_bytes(n)
            for n in row
        )
        return b"".join(data).decode("utf-8", "replace")

    return tokenizer_with(encode=encode, decode=decode, added_tokens=ids)


@fault("TOK109", cause="state: what loads the target", longest=20, crashes=True)
def behaves_while_it_is_checked() -> SimpleNamespace:
    """Drops spaces, unless it finds in its process what loads targets."""
    healthy, is_checked = engine(), "tokharness.targets.loading" in sys.modules

    def encode(text: str) -> list[int]:
        return healthy.encode_ordinary(text if is_checked else text.replace(" ", ""))

    return tokenizer_with(encode=encode)


@fault("TOK109", cause="state: an exception of encode_batch", longest=20)
def batch_keeps_rows_after_an_error() -> SimpleNamespace:
    """Collects rows in a list of its thread that it clears at the end, so not after an error."""
    healthy, own = engine(), threading.local()

    def encode(text: str) -> list[int]:
        text.encode()  # raises for a lone surrogate
        return healthy.encode_ordinary(text)

    def encode_batch(texts: Sequence[str]) -> list[list[int]]:
        own.rows = rows = getattr(own, "rows", [])
        rows.extend(map(encode, texts))
        own.rows = []
        return rows

    return tokenizer_with(encode=encode, encode_batch=encode_batch)


@fault("TOK112", cause="state: an exception of decode", longest=20)
def decode_keeps_tokens_after_an_error() -> SimpleNamespace:
    """Collects bytes in a buffer of its thread that it clears at the end, so not after an error."""
    healthy, own = engine(), threading.local()

    def decode(ids: Sequence[int]) -> str:
        own.buffer = buffer = getattr(own, "buffer", bytearray())
        for number in ids:
            buffer.extend(healthy.decode_single_token_bytes(number))
        own.buffer = bytearray()
        return buffer.decode("utf-8", "replace")

    return tokenizer_with(decode=decode, n_vocab=healthy.n_vocab)


@fault("TOK109", cause="state: threads", longest=30)
def batches_race_on_a_shared_buffer() -> SimpleNamespace:
    """Collects the rows of all threads in one list: concurrent batches mix their texts."""
    encode, rows = engine().encode_ordinary, list[list[int]]()

    def encode_batch(texts: Sequence[str]) -> list[list[int]]:
        rows.clear()
        for text in texts:
            rows.append(encode(text))  # native code, during which other threads run
        return list(rows)

    return tokenizer_with(encode_batch=encode_batch)


@fault("TOK109", cause="state: threads", longest=30)
def counts_race_on_a_shared_number() -> SimpleNamespace:
    """Adds up the count of a text in an attribute, which concurrent calls of count share."""
    reference, encode, total = vocabulary(), engine().encode_ordinary, [0]

    def count(text: str) -> int:
        total[0] = 0
        for piece in reference.pretokens(text):
            total[0] += len(encode(piece))
        return total[0]

    return tokenizer_with(count=count)
