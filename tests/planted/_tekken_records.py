"""A small, healthy Tekken vocabulary; :data:`HEALTHY` is the spec of its tokenizer."""

from __future__ import annotations

import base64
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.reference.tekken import read

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.tekken import Tekken

PATTERN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""The pattern of the published Tekken vocabularies."""

WORDS = (
    *("th", "the", " t", " the", "in", "ing", " a", "er", "an", "and", "ou", "re", "on", " of"),
    *("  ", "    ", ".c", "!!", "\u00e9", "\u4f60", "\u4f60\u597d"),
)
CUT = ("es", "st", "he", "or", " s", "al", "om", "lo")
"""Tokens that the file has and its default size leaves out."""

BEFORE = {" of": [b" o"], "\u4f60": [b"\xe4\xbd"], "\u4f60\u597d": [b"\xe5\xa5", b"\xe5\xa5\xbd"]}
"""Tokens that the merges of another one make first."""

SPECIAL_TOKENS = ("<unk>", "<s>", "</s>", "[INST]", "[/INST]")
NUMBER_OF_SPECIAL_TOKENS = 8
"""Three more than the file lists."""

HEALTHY = f"python:{__name__}:healthy"


def record() -> dict[str, Any]:
    """Return the parsed file, which may be changed."""
    merged = chain.from_iterable([*BEFORE.get(word, []), word.encode()] for word in WORDS)
    kept = [*(bytes([byte]) for byte in range(256)), *merged]
    tokens = [*kept, *(word.encode() for word in CUT)]
    return {
        "config": {
            "pattern": PATTERN,
            "num_vocab_tokens": len(tokens),
            "default_vocab_size": len(kept) + NUMBER_OF_SPECIAL_TOKENS,
            "default_num_special_tokens": NUMBER_OF_SPECIAL_TOKENS,
            "version": "v11",
        },
        "vocab": [
            {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
            for rank, token in enumerate(tokens)
        ],
        "special_tokens": [
            {"rank": number, "token_str": text, "is_control": True}
            for number, text in enumerate(SPECIAL_TOKENS)
        ],
    }


@cache
def healthy() -> Tekken:
    """Read the file."""
    return read(record(), "small Tekken vocabulary")
