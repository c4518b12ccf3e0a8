"""Further entry points of the tokenizers of ``transformers``, with the options of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness_tokenizers import libraries
from tokharness_tokenizers.variants import one_by_one

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness_tokenizers.variants import Variants

__all__ = ["NOT_CALLED", "encoders"]

NOT_CALLED = {
    "encode_message_with_chat_template": "it takes a message of a chat, not a text",
    "convert_tokens_to_string": "it takes tokens, and ends with the decoder",
}
LONGER_THAN_ALL = 1 << 20
"""A ``max_length`` in tokens that no text of a family has."""


def encoders(tokenizer: Any) -> Variants:
    """Return the entry points that give the ids of plain texts."""
    plain = {"add_special_tokens": False}
    found: dict[str, Callable[[list[str]], Any]] = {
        "encode with truncation": one_by_one(
            lambda text: tokenizer.encode(
                text, truncation=True, max_length=LONGER_THAN_ALL, **plain
            )
        ),
        "tokenize": one_by_one(
            lambda text: tokenizer.convert_tokens_to_ids(tokenizer.tokenize(text, **plain))
        ),
    }
    if encode_plus := getattr(tokenizer, "encode_plus", None):
        found["encode_plus"] = one_by_one(lambda text: encode_plus(text, **plain).input_ids)
    if batch_encode_plus := getattr(tokenizer, "batch_encode_plus", None):
        found["batch_encode_plus"] = lambda texts: batch_encode_plus(texts, **plain).input_ids
    if libraries.find_version("numpy"):
        found["return_tensors='np'"] = one_by_one(
            lambda text: tokenizer(text, return_tensors="np", **plain).input_ids[0].tolist()
        )
    if tokenizer.pad_token is not None:
        found["padding=True"] = lambda texts: _without_padding(
            tokenizer(texts, padding=True, **plain)
        )
    return found


def _without_padding(encoded: Any) -> list[list[int]]:
    """Return the ids of each row at which its attention mask is 1."""
    return [
        [number for number, used in zip(row, mask, strict=True) if used]
        for row, mask in zip(encoded.input_ids, encoded.attention_mask, strict=True)
    ]
