"""Faults that rewrite connected text before it is encoded, as cleaners, filters and editors do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted._builders import remove, substitute
from planted._registry import fault

if TYPE_CHECKING:
    from types import SimpleNamespace


@fault("TOK101", cause="dropped characters: U+00BF", families=["sentences"])
def drops_inverted_question_marks() -> SimpleNamespace:
    """Drops U+00BF before a question that ends with a question mark: Spanish loses its marks."""
    return remove(r"\u00BF(?=[^\u00BF?]+\?)")


@fault("TOK101", cause="dropped characters: U+002D", families=["code-switching"])
def joins_hebrew_prefixes() -> SimpleNamespace:
    """Drops the hyphen between a Hebrew prefix and a Latin word, as one side needs none."""
    return remove(r"(?<=\p{Hebrew})-(?=\p{Latin}{2})")


@fault("TOK101", cause="dropped characters: several", families=["chat-language"])
def shortens_stretched_words() -> SimpleNamespace:
    """Shortens five or more equal letters after another letter to one, as a cleaner of tweets."""
    return substitute(r"(?<=\b[a-z]*([a-z]))(?!\1)([a-z])\2{4,}", r"\2")


@fault("TOK101", cause="dropped characters: U+0336", families=["decorated-text"])
def drops_lines_through_words() -> SimpleNamespace:
    """Drops U+0336 where it crosses out three letters or more: deleted text becomes valid."""
    return substitute(r"(?:\w\u0336){3,}", lambda match: match[0].replace("\u0336", ""))


@fault("TOK101", cause="text changed", families=["encoded-text"], longest=9)
def decodes_quoted_printable() -> SimpleNamespace:
    """Decodes three or more bytes of quoted-printable, as a reader of e-mail does."""
    return substitute(
        r"(?:=[0-9A-F]{2}){3,}",
        lambda match: bytes.fromhex(match[0].replace("=", "")).decode("utf-8", "replace"),
    )


@fault("TOK101", cause="dropped characters: several", families=["naughty-strings"])
def removes_steps_out_of_folders() -> SimpleNamespace:
    """Removes two or more steps to a parent folder, as a cleaner of paths does."""
    return remove(r"(?:\.\./){2,}")
