"""Faults in the decoder of a ``tokenizer.json``: in the file, and in the engine that reads it."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from planted._registry import fault
from planted._replaced_components import decoder_of, decoding_by
from planted._tokenizer_files import against, altered, record_of
from tokharness_tokenizers.reference.byte_characters import bytes_of
from tokharness_tokenizers.reference.decoders import ByteFallback

DECODING = "decoding"


@fault(
    "TOK101",
    cause="decoder: Strip is not applied",
    families=["zero-width"],
    against=against("fallback_bpe"),
)
def decoder_does_not_strip() -> Any:
    """Lacks the Strip that removes the space which the normalizer prepended."""
    decoders = record_of("fallback_bpe")["decoder"]["decoders"][:-1]
    return altered("fallback_bpe", "decoder", "decoders", to=decoders)


@fault(
    "TOK101",
    cause="decoder: ByteFallback is not applied",
    families=["zero-width"],
    against=against("fallback_bpe"),
)
def decoder_shows_names_of_bytes() -> Any:
    """Lacks ByteFallback: decoded text has "<0xE2>" in the place of characters."""
    decoders = record_of("fallback_bpe")["decoder"]["decoders"]
    kept = [decoder for decoder in decoders if decoder["type"] != "ByteFallback"]
    return altered("fallback_bpe", "decoder", "decoders", to=kept)


@fault(
    "TOK101",
    cause="decoder: Replace: only the first match in a token",
    families=["white-space"],
    against=against("fallback_bpe"),
)
def decoder_replaces_once() -> Any:
    """Makes a space of the first U+2581 of a token, as ``replace`` of JavaScript does."""

    def once(tokens: list[str]) -> list[str]:
        joined = ByteFallback().decode([token.replace("\u2581", " ", 1) for token in tokens])
        return ["".join(joined).removeprefix(" ")]

    return decoding_by("fallback_bpe", once)


@fault(
    "TOK202",
    cause="decoder: ByteFallback: what is valid in a run of bytes is kept",
    against=against("fallback_bpe"),
)
def decoder_keeps_valid_bytes() -> Any:
    """Gives U+FFFD for the bytes that are not UTF-8 only, as SentencePiece does."""

    def kept(tokens: list[str]) -> list[str]:
        runs = (list(run) for _, run in groupby(tokens, key=lambda token: token[:3] == "<0x"))
        texts = [
            bytes(int(token[3:5], 16) for token in run).decode("utf-8", "replace")
            if run[0][:3] == "<0x"
            else "".join(run).replace("\u2581", " ")
            for run in runs
        ]
        return ["".join(texts).removeprefix(" ")]

    return decoding_by("fallback_bpe", kept)


@fault("TOK202", cause=DECODING, against=against("fallback_bpe"))
def decoder_drops_bytes_that_are_no_text() -> Any:
    """Drops a run of bytes that is not UTF-8, in the place of one U+FFFD a byte."""
    whole = decoder_of("fallback_bpe")
    return decoding_by("fallback_bpe", lambda tokens: whole.decode(_without_broken_bytes(tokens)))


def _without_broken_bytes(tokens: list[str]) -> list[str]:
    runs = (list(run) for _, run in groupby(tokens, key=lambda token: token.startswith("<0x")))
    return [token for run in runs if "\ufffd" not in ByteFallback().decode(run) for token in run]


@fault("TOK202", cause=DECODING, against=against("byte_bpe"))
def decoder_drops_parts_of_characters() -> Any:
    """Drops bytes that are not UTF-8, in the place of U+FFFD."""
    return decoding_by(
        "byte_bpe", lambda tokens: [b"".join(map(bytes_of, tokens)).decode("utf-8", "ignore")]
    )


@fault(
    "TOK101",
    cause="decoder",
    families=["hangul"],
    against=against("byte_bpe"),
)
def decoder_reads_tokens_one_by_one() -> Any:
    """Decodes the bytes of each token alone: a character in two tokens becomes U+FFFD."""
    return decoding_by(
        "byte_bpe", lambda tokens: [bytes_of(token).decode("utf-8", "replace") for token in tokens]
    )


@fault("TOK202", cause="decoder: CTC: cleanup is false", against=against("ctc"))
def decoder_shows_delimiters_of_words() -> Any:
    """Has the decoder CTC with ``cleanup`` off: the delimiter of words becomes no space."""
    return altered("ctc", "decoder", "cleanup", to=False)


@fault(
    "TOK101",
    cause="decoder: WordPiece: cleanup is true",
    families=["digits"],
    against=against("wordpiece"),
)
def decoder_joins_punctuation() -> Any:
    """Puts no space before punctuation."""
    decode = decoder_of("wordpiece").decode
    return decoding_by("wordpiece", lambda tokens: [_joined(text) for text in decode(tokens)])


def _joined(text: str) -> str:
    return text[1:] if len(text) == 2 and text[1] in ".,!?" else text


@fault("TOK101", cause="decoder", families=["invalid-utf8"], against=against("wordpiece"))
def decoder_keeps_the_prefix() -> Any:
    """Decodes with another continuing prefix than that of the model."""
    return altered("wordpiece", "decoder", "prefix", to="@@")


@fault(
    "TOK101",
    cause="decoder: Metaspace: prepend_scheme is never",
    families=["controls"],
    against=against("unknown_unigram"),
)
def decoder_keeps_the_first_space() -> Any:
    """Keeps the space that Metaspace prepended."""
    return altered("unknown_unigram", "decoder", "prepend_scheme", to="never")


@fault("TOK202", cause="decoder", against=against("ctc"))
def decoder_keeps_repetitions() -> Any:
    """Joins tokens of the decoder CTC without leaving out repeated ones."""
    decode = decoder_of("ctc").decode
    return decoding_by("ctc", lambda tokens: [text for one in tokens for text in decode([one])])
