"""Faults that show in texts of ids as a model emits them: cut, and without an end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted._builders import engine, preprocess, tokenizer_with
from planted._registry import fault

if TYPE_CHECKING:
    from types import SimpleNamespace


@fault("TOK113", cause="dropped characters: U+FFFD")
def drops_replacement_characters_at_the_end() -> SimpleNamespace:
    """Drops U+FFFD at the end of a text, where a stream shows a character that is not finished."""
    return preprocess(lambda text: text.rstrip("\ufffd"))


@fault(
    "TOK113",
    cause="drift of emitted ids: above that of the reference",
    against="tiktoken:embedded",
)
def splits_spaces_at_the_end() -> SimpleNamespace:
    """Encodes each space at the end of a text alone, since more of them may follow in a stream."""
    encode = engine().encode_ordinary

    def encode_but_the_end(text: str) -> list[int]:
        rest = text.rstrip(" ")
        return encode(rest) + encode(" ") * (len(text) - len(rest))

    return tokenizer_with(encode=encode_but_the_end)
