"""Faults in the texts of tokens: what hides, acts on a display, or resembles something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted._byte_tokens import bytes_and
from planted._registry import fault

if TYPE_CHECKING:
    from types import SimpleNamespace

KIND = "hidden or dangerous token text: "


@fault("TOK408", cause=f"{KIND}bidirectional controls")
def has_a_token_that_reverses_text() -> SimpleNamespace:
    """Has a token of U+202E and a letter, which shows the text after it from right to left."""
    return bytes_and("\u202ea")


@fault("TOK408", cause=f"{KIND}tag characters")
def has_a_token_of_tag_characters() -> SimpleNamespace:
    """Has a token of tag characters, which spell ASCII text that no display shows."""
    return bytes_and("\U000e0072\U000e006d")


@fault("TOK408", cause=f"{KIND}terminal escapes")
def has_a_token_that_begins_a_terminal_escape() -> SimpleNamespace:
    """Has a token of ESC and "[", with which the commands of a terminal begin."""
    return bytes_and("\x1b[")


@fault("TOK408", cause=f"{KIND}invisible letters")
def has_a_token_with_an_invisible_letter() -> SimpleNamespace:
    """Has a token with the Hangul filler, which is a letter of identifiers and shows nothing."""
    return bytes_and("a\u3164")


@fault("TOK408", cause=f"{KIND}hidden characters")
def has_a_token_with_a_hidden_character() -> SimpleNamespace:
    """Has a token of a word with U+200B in it, which reads as the word."""
    return bytes_and("pass\u200bword")


@fault("TOK408", cause=f"{KIND}near-special tokens")
def has_a_token_that_looks_like_a_special_token() -> SimpleNamespace:
    """Has an ordinary token that is a special token with a Cyrillic letter."""
    return bytes_and("<|\u0435ndoftext|>", special="<|endoftext|>")


@fault("TOK408", cause=f"{KIND}look-alikes of words in mixed scripts")
def has_a_token_that_looks_like_a_word() -> SimpleNamespace:
    """Has the token "paypal", and another one with a Cyrillic letter in it."""
    return bytes_and("paypal", "p\u0430ypal")
