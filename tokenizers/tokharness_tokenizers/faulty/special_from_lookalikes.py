"""Reads look-alikes of other scripts as ASCII when it looks for special tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from tokharness.unicode.confusables import confusables_of
from tokharness_tokenizers.faulty._wrapping import engine, special

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK103", "special token: confusables")
FAMILIES = ("special-tokens",)
AGAINST = "none"
LONGEST = 14


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    tokens = "".join(engine().special_tokens)
    table = {
        ord(like): char
        for char in sorted(set(tokens))
        for like in confusables_of(char)
        if len(like) == 1 and regex.fullmatch(r"\p{L}", like) and not like.isascii()
    }
    return special(lambda text: text.translate(table))
