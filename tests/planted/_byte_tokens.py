"""A tokenizer whose tokens are the bytes and some texts."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def bytes_and(*texts: str, special: str = "") -> SimpleNamespace:
    """Build a tokenizer with a token for each byte and each of some texts; the longest wins."""
    tokens = [*(bytes([byte]) for byte in range(256)), *map(str.encode, texts)]
    ids = {token: number for number, token in enumerate(tokens)}
    longest_first = sorted(tokens[256:], key=len, reverse=True)
    several = re.compile(b"|".join([*map(re.escape, longest_first), b"."]), re.DOTALL)

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
