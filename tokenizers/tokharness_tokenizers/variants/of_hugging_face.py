"""Further entry points of ``Tokenizer`` in Hugging Face's library ``tokenizers``."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.hugging_face import facts
from tokharness_tokenizers.variants import one_by_one

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokharness_tokenizers.variants import Variants

__all__ = ["NOT_CALLED", "decoders", "encoders"]

NOT_CALLED = {
    "post_process": "it takes ids that were encoded before, not a text",
    "num_special_tokens_to_add": "it takes no text",
    "tokenize": "it gives no ids: release 1.0 calls encode, and then decode_tokens",
}


def encoders(tokenizer: Any, options: Mapping[str, Any]) -> Variants:
    """Return the entry points that give the ids of plain texts.

    ``options`` are arguments with which special tokens are text, if that is no setting of the
    object (release 1.0).
    """
    arguments = {"add_special_tokens": False, **options}
    found: dict[str, Callable[[list[str]], Any]] = {}

    def rows(call: Callable[..., Any], method: Any, texts: list[str]) -> list[list[int]]:
        encodings = call(method, texts, arguments)
        return [facts.without_batch_padding(one, tokenizer.padding) for one in encodings]

    for name, call in BATCHES.items():
        if method := getattr(tokenizer, name, None):
            found[name] = partial(rows, call, method)
    if method := getattr(tokenizer, "async_encode", None):
        found["async_encode"] = one_by_one(lambda text: _wait(method, text, arguments).ids)
    if not options:
        found["encode with is_pretokenized=True"] = one_by_one(
            lambda text: tokenizer.encode([text], is_pretokenized=True, **arguments).ids
        )
    elif tokenizer.padding is None:  # else a call without it is not padded
        found["encode with padding=None"] = one_by_one(
            lambda text: tokenizer.encode(text, padding=None, **arguments).ids
        )
        found["encode_batch with padding=None"] = lambda texts: [
            encoding.ids for encoding in tokenizer.encode_batch(texts, padding=None, **arguments)
        ]
    return found


def decoders(tokenizer: Any) -> Variants:
    """Return the entry points that give the texts of ids."""
    method = getattr(tokenizer, "async_decode_batch", None)
    if method is None:
        return {}
    return {"async_decode_batch": lambda rows: _wait(method, rows, {"skip_special_tokens": False})}


def _wait(method: Callable[..., Any], argument: Any, options: Mapping[str, Any]) -> Any:
    """Return the result of an asynchronous method, which needs a running event loop."""

    async def call() -> Any:
        return await method(argument, **options)

    return asyncio.run(call())


def _now(method: Callable[..., Any], argument: Any, options: Mapping[str, Any]) -> Any:
    return method(argument, **options)


BATCHES = {
    "encode_batch_fast": _now,
    **dict.fromkeys(("async_encode_batch", "async_encode_batch_fast"), _wait),
}
"""Entry points for several texts, and how to call them."""
