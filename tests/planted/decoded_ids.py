"""Faults in decoding that only a comparison with a reference shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted._builders import engine, tokenizer_with, vocabulary
from planted._registry import fault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import SimpleNamespace

AGAINST = "tiktoken:embedded"


@fault("TOK202", cause="decoding: special tokens left out", against=AGAINST)
def decode_leaves_out_special_tokens() -> SimpleNamespace:
    """Leaves out special tokens, as skip_special_tokens does: nothing shows the end of a turn."""
    healthy = engine()
    special = frozenset(healthy.special_tokens.values())
    return tokenizer_with(
        decode=lambda ids: healthy.decode([i for i in ids if i not in special]),
        special_tokens=healthy.special_tokens,
    )


@fault("TOK202", cause="decoding: bytes dropped", against=AGAINST)
def decode_drops_parts_of_characters() -> SimpleNamespace:
    """Decodes with errors="ignore", where the library that it claims to equal shows U+FFFD."""
    decode = engine().decode_bytes
    return tokenizer_with(decode=lambda ids: decode(ids).decode("utf-8", "ignore"))


@fault(
    "TOK202", cause="decoder: U+FFFD is left out at the end", families=["emoji"], against=AGAINST
)
def holds_back_what_may_go_on() -> SimpleNamespace:
    """Leaves out U+FFFD at the end, as a stream does that waits for the rest of a character."""
    healthy = engine()
    return tokenizer_with(
        decode=lambda ids: healthy.decode(ids).rstrip("\ufffd"), n_vocab=healthy.n_vocab
    )


@fault("TOK202", cause="decoder: U+FFFD is left out but at the end", against=AGAINST)
def drops_what_does_not_go_on() -> SimpleNamespace:
    """Leaves out bytes that form no character, unless the text ends there."""
    healthy = engine()

    def decode(ids: Sequence[int]) -> str:
        text = healthy.decode(ids)
        return text[:-1].replace("\ufffd", "") + text[-1:]

    return tokenizer_with(decode=decode, n_vocab=healthy.n_vocab)


@fault("TOK202", cause="decoding: parts of characters refused", families=["emoji"], against=AGAINST)
def decode_raises_on_parts_of_characters() -> SimpleNamespace:
    """Decodes with errors="strict", so that a part of a stream raises."""
    decode = engine().decode_bytes
    return tokenizer_with(decode=lambda ids: decode(ids).decode())


@fault("TOK202", cause="decoding: special tokens refused", against=AGAINST)
def decode_raises_on_special_tokens() -> SimpleNamespace:
    """Decodes with a table that has the ordinary tokens only."""
    healthy = engine()
    special = frozenset(healthy.special_tokens.values())

    def decode(ids: Sequence[int]) -> str:
        if not special.isdisjoint(ids):
            raise KeyError(next(i for i in ids if i in special))
        return healthy.decode(ids)

    return tokenizer_with(decode=decode, special_tokens=healthy.special_tokens)


@fault("TOK202", cause="decoding: unknown ids accepted", against=AGAINST)
def decode_takes_unknown_ids() -> SimpleNamespace:
    """Decodes ids past the end to U+FFFD, where the library that it claims to equal raises."""
    healthy = engine()

    def text_of(ids: Sequence[int]) -> str:
        if all(0 <= i < healthy.n_vocab for i in ids):
            return healthy.decode(ids)
        return "".join(healthy.decode([i]) if 0 <= i < healthy.n_vocab else "\ufffd" for i in ids)

    return tokenizer_with(decode=text_of, n_vocab=healthy.n_vocab)


@fault(
    "TOK202", cause="decoding: number of U+FFFD", families=["emoji"], against=AGAINST, longest=20
)
def decode_gives_one_replacement_character_for_each_byte() -> SimpleNamespace:
    """Gives U+FFFD for each byte of a broken character, and not for each longest valid start."""

    def decode(ids: Sequence[int]) -> str:
        data = engine().decode_bytes(ids)
        text = data.decode("utf-8", "surrogateescape")
        return "".join("\ufffd" if "\udc80" <= char <= "\udcff" else char for char in text)

    return tokenizer_with(decode=decode)


def _without_text() -> int:
    """Return an ordinary id that no text is encoded to, so that no round trip shows it."""
    healthy = engine()
    ordinary = sorted(set(range(healthy.n_vocab)) - set(healthy.special_tokens.values()))
    return next(
        number
        for number in ordinary
        if "\ufffd" not in healthy.decode([number])
        and healthy.encode_ordinary(healthy.decode([number])) != [number]
    )


@fault("TOK202", cause="decoding: other text", against=AGAINST)
def decode_swaps_an_id_that_no_text_has() -> SimpleNamespace:
    """Gives one id, which a model can choose and no text is encoded to, another token's text."""
    healthy, swapped = engine(), _without_text()
    return tokenizer_with(
        decode=lambda ids: healthy.decode([swapped - 1 if i == swapped else i for i in ids]),
        n_vocab=healthy.n_vocab,
    )


def _encoding_bytes(encode_bytes: Callable[[bytes], list[int]]) -> SimpleNamespace:
    return tokenizer_with(encode_bytes=encode_bytes)


@fault("TOK111", cause="invalid UTF-8: U+FFFD", families=["invalid-utf8"])
def encode_bytes_replaces_and_nothing_decodes_bytes() -> SimpleNamespace:
    """Encodes invalid bytes as U+FFFD, without a decode_bytes that would show it."""
    encode = engine().encode_ordinary
    return _encoding_bytes(lambda data: encode(data.decode("utf-8", "replace")))


@fault("TOK111", cause="invalid UTF-8: nothing", families=["invalid-utf8"])
def encode_bytes_drops_and_nothing_decodes_bytes() -> SimpleNamespace:
    """Drops invalid bytes, without a decode_bytes that would show it."""
    encode = engine().encode_ordinary
    return _encoding_bytes(lambda data: encode(data.decode("utf-8", "ignore")))


@fault(
    "TOK111",
    cause="bytes: other ids",
    families=["invalid-utf8"],
    against="reference:embedded",
)
def encode_bytes_gives_each_byte_its_own_id() -> SimpleNamespace:
    """Encodes invalid UTF-8 byte by byte, where the library that it claims to equal merges."""
    healthy = vocabulary()

    def encode_bytes(data: bytes) -> list[int]:
        try:
            return engine().encode_ordinary(data.decode())
        except UnicodeDecodeError:
            return [healthy.ranks[bytes([byte])] for byte in data]

    return _encoding_bytes(encode_bytes)
