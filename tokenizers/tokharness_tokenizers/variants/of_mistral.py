"""Further entry points of the tokenizers of ``mistral-common``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.variants import one_by_one

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness_tokenizers.variants import Variants

__all__ = ["NOT_CALLED", "decoders", "encoders"]

NOT_CALLED = dict.fromkeys(
    ("encode_chat_completion", "encode_fim", "encode_speech_request", "encode_transcription"),
    "it takes a request, such as that of a chat, not a text",
)


def encoders(tokenizer: Any) -> Variants:
    """Return ``encode`` with the start and the end, which are taken off again."""

    def within(text: str) -> list[int]:
        ids: list[int] = tokenizer.encode(text, bos=True, eos=True)
        framed = [ids[:1], ids[-1:]] == [[tokenizer.bos_id], [tokenizer.eos_id]]
        return ids[1:-1] if framed else ids

    return {"encode with bos=True and eos=True": one_by_one(within)}


def decoders(decode: Callable[..., Any], policy: Any) -> Variants:
    """Return ``decode`` with another policy for special tokens."""
    other = one_by_one(partial(decode, special_token_policy=policy))
    return {f"decode with SpecialTokenPolicy.{policy.name}": other}
