"""Faults in the vocabulary: ids, the bytes of tokens, and what has a token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import regex

from planted._builders import (
    change_pattern,
    engine,
    preprocess,
    tokenizer_with,
    vocabulary,
)
from planted._registry import fault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import SimpleNamespace


@fault("TOK106", cause="token bytes: U+FFFD for a part of a character", families=["emoji"])
def bytes_of_tokens_are_text() -> SimpleNamespace:
    """Returns the bytes of a token's text: a partial character becomes the 3 bytes of U+FFFD."""
    healthy = engine()
    return tokenizer_with(
        decode_single_token_bytes=lambda token: healthy.decode([token]).encode(),
        n_vocab=healthy.n_vocab,
    )


@fault("TOK106", cause="token bytes: white space", families=["plain-words"])
def bytes_of_tokens_lack_spaces() -> SimpleNamespace:
    """Returns the bytes of a token without its leading space."""
    healthy = engine()
    return tokenizer_with(
        decode_single_token_bytes=lambda i: healthy.decode_single_token_bytes(i).removeprefix(b" "),
    )


@fault("TOK406", cause="duplicate tokens")
def has_a_token_twice() -> SimpleNamespace:
    """Has two ids for the token " the": its own, and one past the last, which no text gives."""
    healthy = engine()
    (first,) = healthy.encode_ordinary(" the")
    second = healthy.n_vocab

    def first_id(token: int) -> int:
        return first if token == second else token

    return tokenizer_with(
        decode=lambda ids: healthy.decode([first_id(token) for token in ids]),
        decode_single_token_bytes=lambda token: healthy.decode_single_token_bytes(first_id(token)),
        n_vocab=second + 1,
    )


@fault("TOK403", cause="byte without a token: F4")
def has_no_token_for_a_byte() -> SimpleNamespace:
    """Has no token for the byte 0xF4, which starts the last planes of Unicode."""
    healthy = engine()

    def token_bytes(token: int) -> bytes:
        data = healthy.decode_single_token_bytes(token)
        return b"\xf5" if data == b"\xf4" else data

    return tokenizer_with(decode_single_token_bytes=token_bytes, n_vocab=healthy.n_vocab)


@fault("TOK302", cause="tokens of merged digits")
def has_tokens_of_digits_that_it_cuts() -> SimpleNamespace:
    """Splits numbers into single digits, though its vocabulary has tokens of three."""
    healthy = engine()
    tokenizer = change_pattern((r"[\p{N}]{1,3}", r"[\p{N}]"))
    tokenizer.decode_single_token_bytes = healthy.decode_single_token_bytes
    tokenizer.n_vocab = healthy.n_vocab
    return tokenizer


@fault("TOK401", cause="tokens not reached")
def has_tokens_that_no_text_gives() -> SimpleNamespace:
    """Does not join a space to punctuation, though its vocabulary has such tokens."""
    healthy = engine()
    tokenizer = change_pattern((r"| ?[^\s", r"|[^\s"))
    tokenizer.decode_single_token_bytes = healthy.decode_single_token_bytes
    tokenizer.n_vocab = healthy.n_vocab
    return tokenizer


@fault("TOK105", cause="id: not an integer: float", families=["plain-words"])
def ids_are_floats() -> SimpleNamespace:
    """Returns ids as floats, as a table read by a statistics library has them."""
    healthy = engine()

    def decode(ids: Sequence[float]) -> str:
        return healthy.decode(list(map(int, ids)))

    return tokenizer_with(
        encode=lambda text: list(map(float, healthy.encode_ordinary(text))),
        decode=decode,
        n_vocab=healthy.n_vocab,
    )


@fault("TOK105", cause="id: negative", families=["plain-words"])
def ids_are_negative_bytes() -> SimpleNamespace:
    """Returns negative ids for bytes above 127, as a signed type does."""
    healthy, ranks = engine(), vocabulary().ranks
    signed = {ranks[bytes([byte])]: byte - 256 for byte in range(128, 256)}
    back = {new: old for old, new in signed.items()}

    def decode(ids: Sequence[int]) -> str:
        return healthy.decode([back.get(token, token) for token in ids])

    return tokenizer_with(
        encode=lambda text: [signed.get(i, i) for i in healthy.encode_ordinary(text)],
        decode=decode,
        n_vocab=healthy.n_vocab,
    )


@fault("TOK105", cause="id: n_vocab or above", families=["plain-words"])
def ids_are_past_the_end() -> SimpleNamespace:
    """Reports a vocabulary size 1,000 too small: the model's matrix ends before the last ids."""
    return tokenizer_with(n_vocab=engine().n_vocab - 1000)


@fault("TOK105", cause="id: not an integer: str", families=["plain-words"])
def ids_are_strings() -> SimpleNamespace:
    """Returns ids as strings of digits, like the keys of a vocabulary in JSON."""
    healthy = engine()

    def decode(ids: Sequence[str]) -> str:
        return healthy.decode(list(map(int, ids)))

    return tokenizer_with(
        encode=lambda text: list(map(str, healthy.encode_ordinary(text))),
        decode=decode,
        n_vocab=healthy.n_vocab,
    )


@fault("TOK201", cause="vocabulary", families=["plain-words"], against="tiktoken:embedded")
def two_ids_swapped() -> SimpleNamespace:
    """Swaps the ids of two letters in encode and decode: another vocabulary of the same size."""
    healthy, ranks = engine(), vocabulary().ranks
    q, z = ranks[b"q"], ranks[b"z"]
    swap = {q: z, z: q}

    def swap_ids(ids: Sequence[int]) -> list[int]:
        return [swap.get(token, token) for token in ids]

    return tokenizer_with(
        encode=lambda text: swap_ids(healthy.encode_ordinary(text)),
        decode=lambda ids: healthy.decode(swap_ids(ids)),
    )


RARE = ".append"
"""A token that no other family has: texts in natural languages do not have it."""


def _change_id(old: str, new: Callable[[int], Any]) -> SimpleNamespace:
    """Give ``new(id)`` for the token that is the text ``old``."""
    healthy = engine()
    (rare,) = healthy.encode_ordinary(old)
    return tokenizer_with(
        encode=lambda text: [new(i) if i == rare else i for i in healthy.encode_ordinary(text)],
        decode=lambda ids: healthy.decode(list(map(int, ids))),
        decode_single_token_bytes=healthy.decode_single_token_bytes,
        n_vocab=healthy.n_vocab,
    )


@fault("TOK105", cause="id: not an integer: float", families=["vocabulary-tokens"], longest=20)
def has_a_float_for_a_rare_token() -> SimpleNamespace:
    """Has a float as the id of one rare token, as a table has that was read from CSV."""
    return _change_id(RARE, float)


@fault("TOK101", cause="text changed", families=["vocabulary-tokens"], longest=20)
def has_the_id_of_the_next_token_for_a_rare_one() -> SimpleNamespace:
    """Gives the id of the next token for one rare token."""
    return _change_id(RARE, lambda number: number + 1)


def _with_added_token(expression: str) -> SimpleNamespace:
    """Read the matches as the rare token, as a library reads an added token that strips spaces."""
    healthy = engine()
    compiled = regex.compile(expression)
    return preprocess(
        lambda text: compiled.sub(RARE, text),
        decode_single_token_bytes=healthy.decode_single_token_bytes,
        n_vocab=healthy.n_vocab,
    )


@fault("TOK101", cause="dropped", families=["vocabulary-tokens"], longest=20)
def added_token_eats_the_space_after_it() -> SimpleNamespace:
    """Has an added token with ``rstrip``, which takes the white space after it."""
    return _with_added_token(rf"{regex.escape(RARE)}\s+")


@fault("TOK101", cause="dropped", families=["vocabulary-tokens"], longest=20)
def added_token_eats_the_space_before_it() -> SimpleNamespace:
    """Has an added token with ``lstrip``, which takes the white space before it."""
    return _with_added_token(rf"\s+{regex.escape(RARE)}")
