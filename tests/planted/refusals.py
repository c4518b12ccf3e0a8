"""Texts that one of two libraries refuses and the other encodes, though both claim to be equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted._builders import call_before_encode, engine, tokenizer_with
from planted._registry import fault

if TYPE_CHECKING:
    from types import SimpleNamespace

STRICT = "python:planted.refusals:strict"
NO_NULL = "python:planted.refusals:without_null"


def strict() -> SimpleNamespace:
    """Return a healthy tokenizer that refuses surrogates."""
    return call_before_encode(str.encode)


def without_null() -> SimpleNamespace:
    """Return a tokenizer that refuses U+0000, as a function with C strings may."""

    def refuse(text: str) -> None:
        if "\0" in text:
            raise ValueError("embedded null character")

    return call_before_encode(refuse)


@fault(
    "TOK201",
    cause="surrogates: by the target only",
    families=["surrogates", "zero-width"],
    against="tiktoken:embedded",
)
def refuses_surrogates_that_the_reference_takes() -> SimpleNamespace:
    """Raises on surrogates, which the library that it claims to equal encodes as U+FFFD."""
    return strict()


@fault("TOK201", cause="surrogates: by the reference only", families=["surrogates"], against=STRICT)
def takes_surrogates_that_the_reference_refuses() -> SimpleNamespace:
    """Encodes surrogates as U+FFFD, which the library that it claims to equal refuses."""
    return tokenizer_with(encode=engine().encode_ordinary)


@fault(
    "TOK201",
    cause="raises: the reference only, ValueError",
    families=["controls"],
    against=NO_NULL,
)
def takes_a_text_that_the_reference_refuses() -> SimpleNamespace:
    """Encodes U+0000, on which the library that it claims to equal raises."""
    return tokenizer_with(encode=engine().encode_ordinary)
