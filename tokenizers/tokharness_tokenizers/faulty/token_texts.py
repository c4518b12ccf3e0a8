"""Faults in the texts of tokens: what hides, acts on a display, or resembles something else."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._registry import fault

if TYPE_CHECKING:
    from collections.abc import Sequence

KIND = "hidden or dangerous token text: "


def _bytes_and(*texts: str, special: str = "") -> SimpleNamespace:
    """Build a tokenizer with a token for each byte and for each of some texts."""
    tokens = [*(bytes([byte]) for byte in range(256)), *map(str.encode, texts)]
    ids = {token: number for number, token in enumerate(tokens)}
    several = re.compile(b"|".join([*map(re.escape, tokens[256:]), b"."]), re.DOTALL)

    def encode(text: str) -> list[int]:
        return [ids[token] for token in several.findall(text.encode("utf-8", "replace"))]

    def decode(numbers: Sequence[int]) -> str:
        return b"".join(tokens[number] for number in numbers).decode("utf-8", "replace")

    return SimpleNamespace(
        encode=encode,
        decode=decode,
        decode_single_token_bytes=lambda number: tokens[number],
        n_vocab=len(tokens) + bool(special),
        special_tokens={special: len(tokens)} if special else {},
    )


@fault("TOK408", cause=f"{KIND}bidirectional controls")
def has_a_token_that_reverses_text() -> SimpleNamespace:
    """Has a token of U+202E and a letter, which shows the text after it from right to left."""
    return _bytes_and("\u202ea")


@fault("TOK408", cause=f"{KIND}tag characters")
def has_a_token_of_tag_characters() -> SimpleNamespace:
    """Has a token of tag characters, which spell ASCII text that no display shows."""
    return _bytes_and("\U000e0072\U000e006d")


@fault("TOK408", cause=f"{KIND}terminal escapes")
def has_a_token_that_begins_a_terminal_escape() -> SimpleNamespace:
    """Has a token of ESC and "[", with which the commands of a terminal begin."""
    return _bytes_and("\x1b[")


@fault("TOK408", cause=f"{KIND}invisible letters")
def has_a_token_with_an_invisible_letter() -> SimpleNamespace:
    """Has a token with the Hangul filler, which is a letter of identifiers and shows nothing."""
    return _bytes_and("a\u3164")


@fault("TOK408", cause=f"{KIND}hidden characters")
def has_a_token_with_a_hidden_character() -> SimpleNamespace:
    """Has a token of a word with U+200B in it, which reads as the word."""
    return _bytes_and("pass\u200bword")


@fault("TOK408", cause=f"{KIND}near-special tokens")
def has_a_token_that_looks_like_a_special_token() -> SimpleNamespace:
    """Has an ordinary token that is a special token with a Cyrillic letter."""
    return _bytes_and("<|\u0435ndoftext|>", special="<|endoftext|>")


@fault("TOK408", cause=f"{KIND}look-alikes of words in mixed scripts")
def has_a_token_that_looks_like_a_word() -> SimpleNamespace:
    """Has the token "paypal", and another one with a Cyrillic letter in it."""
    return _bytes_and("paypal", "p\u0430ypal")
