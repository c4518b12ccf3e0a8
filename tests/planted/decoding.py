"""Faults in decode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted._builders import (
    change_pattern,
    engine,
    postprocess,
    tokenizer_with,
)
from planted._registry import fault

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace


@fault("TOK112", cause="id decodes to another token's text")
def a_hole_decodes_to_another_token() -> SimpleNamespace:
    """Decodes an id in a hole of its vocabulary as the token before the hole."""
    healthy = engine()
    return tokenizer_with(
        decode=lambda ids: healthy.decode([min(i, healthy.n_vocab - 1) for i in ids]),
        decode_single_token_bytes=healthy.decode_single_token_bytes,
        n_vocab=healthy.n_vocab + 10,
    )


@fault("TOK101", cause="replaced characters: U+0120", families=["leading-space"])
def capital_g_dot_to_space() -> SimpleNamespace:
    """Replaces U+0120 by a space in decode, to undo the byte alphabet."""
    return postprocess(lambda text: text.replace("\u0120", " "))


def _decode_in_buffers(data: bytes) -> str:
    parts = (data[at : at + 4096] for at in range(0, len(data), 4096))
    return "".join(part.decode("utf-8", "replace") for part in parts)


@fault("TOK101", cause="text changed", families=["long-inputs"], longest=4097)
def cuts_characters_at_buffer_ends() -> SimpleNamespace:
    """Decodes in separate buffers of 4,096 bytes: a character across two buffers is lost."""
    decode = engine().decode_bytes
    return tokenizer_with(decode=lambda ids: _decode_in_buffers(decode(ids)))


CLEAN_UPS = (
    *((" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't")),
    *((" 'm", "'m"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re")),
)


def _clean_up_spaces(text: str) -> str:
    for spaced, joined in CLEAN_UPS:
        text = text.replace(spaced, joined)
    return text


@fault(
    "TOK101", cause="normalizer: spaces before punctuation cleaned up", families=["leading-space"]
)
def decode_cleans_up_spaces() -> SimpleNamespace:
    """Removes spaces before punctuation, a default of one library: code and French change."""
    return postprocess(_clean_up_spaces)


@fault("TOK112", cause="ids lost silently: decode")
def decode_drops_ids_it_does_not_know() -> SimpleNamespace:
    """Ignores ids outside the vocabulary: the output of a broken model looks complete."""
    healthy = engine()
    return tokenizer_with(
        decode=lambda ids: healthy.decode([i for i in ids if 0 <= i < healthy.n_vocab]),
        n_vocab=healthy.n_vocab,
    )


@fault("TOK112", cause="bytes lost silently: decode")
def decode_ignores_broken_characters() -> SimpleNamespace:
    """Decodes with errors="ignore": the bytes of an incomplete character vanish."""
    healthy = engine()
    return tokenizer_with(
        decode=lambda ids: healthy.decode_bytes(ids).decode("utf-8", "ignore"),
        decode_bytes=healthy.decode_bytes,
        n_vocab=healthy.n_vocab,
    )


@fault("TOK101", cause="decoder", families=["leading-space"], against="tiktoken:embedded")
def decode_strips_a_leading_space() -> SimpleNamespace:
    """Strips a space from the start of the decoded text: two parts of an answer do not join."""
    return postprocess(lambda text: text.removeprefix(" "))


@fault(
    "TOK101",
    cause="decoder: each token is decoded alone",
    families=["emoji"],
    against="tiktoken:embedded",
)
def decodes_token_by_token() -> SimpleNamespace:
    """Decodes each token as UTF-8 before it joins them: a character of two tokens is lost."""
    decode = engine().decode
    return tokenizer_with(decode=lambda ids: "".join(decode([token]) for token in ids))


@fault(
    "TOK101",
    cause="decoder: U+FEFF at the start is left out",
    families=["controls"],
    against="tiktoken:embedded",
)
def decode_skips_a_byte_order_mark() -> SimpleNamespace:
    """Skips U+FEFF at the start of decoded bytes, as JavaScript's TextDecoder does."""
    return postprocess(lambda text: text.removeprefix("\ufeff"))


@fault("TOK112", cause="id decodes to another token's text: counted from the end")
def decode_takes_negative_ids() -> SimpleNamespace:
    """Decodes -1 as the last token, as an index into a Python list does."""
    healthy = engine()
    table = [healthy.decode_single_token_bytes(token) for token in range(healthy.n_vocab)]
    return tokenizer_with(
        decode=lambda ids: b"".join(table[token] for token in ids).decode("utf-8", "replace"),
        n_vocab=healthy.n_vocab,
    )


@fault("TOK112", cause="id decodes to another token's text: the low 16 bits")
def decode_wraps_large_ids() -> SimpleNamespace:
    """Keeps 16 bits of an id: an id that is 65,536 too large decodes to another token."""
    decode = engine().decode
    return tokenizer_with(
        decode=lambda ids: decode([i & 0xFFFF for i in ids]), n_vocab=engine().n_vocab
    )


@fault(
    "TOK201",
    cause="normalizer: lowercase",
    families=["plain-words"],
    against="tiktoken:embedded",
)
def decode_fails_after_wrong_ids() -> SimpleNamespace:
    """Encodes lowercase, and after each text with a capital its decode fails until the next one."""
    healthy, state = engine(), {"fails": False}

    def encode(text: str) -> list[int]:
        state["fails"] = text != text.lower()
        return healthy.encode_ordinary(text.lower())

    def decode(ids: Sequence[int]) -> str:
        if state["fails"]:
            raise RuntimeError("the cursor is in another text")
        return healthy.decode(ids)

    return tokenizer_with(encode=encode, decode=decode)


@fault(
    "TOK201",
    cause="pre-tokenizer: numbers are split into fours",
    families=["digits"],
    against="tiktoken:embedded",
)
def gives_the_bytes_of_ten_tokens() -> SimpleNamespace:
    """Splits numbers in fours, and fails when it has given the bytes of ten tokens."""
    encode, healthy = change_pattern((r"{1,3}", r"{1,4}")).encode, engine()
    known: set[int] = set()

    def decode_single_token_bytes(number: int) -> bytes:
        if len(known) == 10:
            raise RuntimeError("the table was moved")
        known.add(number)
        return healthy.decode_single_token_bytes(number)

    return tokenizer_with(encode=encode, decode_single_token_bytes=decode_single_token_bytes)


@fault("TOK101", cause="replaced characters: U+2581", families=["leading-space"])
def low_block_to_space() -> SimpleNamespace:
    """Replaces U+2581 by a space in decode, as SentencePiece vocabularies require."""
    return postprocess(lambda text: text.replace("\u2581", " "))


BYTE_ALPHABET = {0x100 + low: low for low in range(0x21)} | {
    0x121 + low: 0x7F + low for low in range(34)
}


@fault("TOK101", cause="replaced characters: U+0100", families=["byte-alphabet"])
def reads_byte_alphabet() -> SimpleNamespace:
    """Undoes the byte alphabet of GPT-2 in plain text, where Latin letters stand for bytes."""
    return postprocess(lambda text: text.translate(BYTE_ALPHABET))
