"""Strips white space beside special tokens, as lstrip and rstrip of an added token do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK110", "text around a special token: lost")
FAMILIES = ("special-tokens",)
AGAINST = "none"
LONGEST = 20


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    healthy = engine()
    tokens = "|".join(map(re.escape, healthy.special_tokens))
    beside = re.compile(rf"\s*({tokens})\s*")
    return plain(
        encode_ordinary=healthy.encode_ordinary,
        encode_special=lambda text: healthy.encode_special(beside.sub(r"\1", text)),
        special_tokens=healthy.special_tokens,
    )
