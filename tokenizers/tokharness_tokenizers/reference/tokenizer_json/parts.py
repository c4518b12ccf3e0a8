"""Places where a text without a pre-tokenizer can be cut, as no token crosses them."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.models.bpe import BPE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness_tokenizers.reference.tokenizer_json.models import AnyModel

__all__ = ["parts_of"]

SPACES = ("\u2581", " ")
"""What begins words in vocabularies whose text is not cut: U+2581 in those of SentencePiece."""


def parts_of(model: AnyModel) -> Callable[[str], list[str]] | None:
    """Return a function that cuts a text before words; None if a token may cross such a place.

    BPE merges only what its list has. If no token has a space after another character, the tokens
    of a text are those of its words, each with the spaces before it; and a character that no token
    has next to another one stands alone.
    """
    if not isinstance(model, BPE) or model.prefix or model.suffix or model.ignore_merges:
        return None
    for space in SPACES:
        inside = re.compile(f"[^{space}]{space}")
        if space in model.vocabulary and not any(map(inside.search, model.vocabulary)):
            alone = re.escape(_alone(model))
            single = f"[{alone}]|" if alone else ""
            return re.compile(f"{single}{space}+[^{space}{alone}]*|[^{space}{alone}]+").findall
    return None


def _alone(model: BPE) -> str:
    """Return the ASCII characters that no merge joins with another one.

    Unknown characters are left out, as neighbouring ones may become one token.
    """
    joined = set().union(*chain.from_iterable(model.merges))
    return "".join(
        char for char in map(chr, range(0x80)) if char not in joined and _is_known(char, model)
    )


def _is_known(char: str, model: BPE) -> bool:
    byte = f"<0x{ord(char):02X}>"
    return char in model.vocabulary or (model.byte_fallback and byte in model.vocabulary)
