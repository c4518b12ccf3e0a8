"""Makes its cached list longer after each call: the next with the same text gets an id too many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.faulty._wrapping import engine, plain

if TYPE_CHECKING:
    from types import SimpleNamespace

__all__ = ["AGAINST", "EXPECTED", "FAMILIES", "tokenizer"]

EXPECTED = ("TOK109", "state")
FAMILIES = ("plain-words",)
AGAINST = "none"
LONGEST = 30


def tokenizer() -> SimpleNamespace:
    """Give a tokenizer with this fault."""
    cache: dict[str, list[int]] = {}
    encode = engine().encode_ordinary

    def cached(text: str) -> list[int]:
        ids = cache.setdefault(text, encode(text))
        result = list(ids)
        ids += ids[:1]
        return result

    return plain(encode=cached)
