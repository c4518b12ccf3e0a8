"""Places where a text without a pre-tokenizer can be cut, as no token crosses them."""

from __future__ import annotations

import re
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
    of a text are those of its words, each with the spaces before it.
    """
    if not isinstance(model, BPE) or model.prefix or model.suffix or model.ignore_merges:
        return None
    for space in SPACES:
        inside = re.compile(f"[^{space}]{space}")
        if space in model.vocabulary and not any(map(inside.search, model.vocabulary)):
            return re.compile(f"{space}+[^{space}]*|[^{space}]+").findall
    return None
