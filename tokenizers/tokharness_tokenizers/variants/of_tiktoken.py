"""Further entry points of tiktoken's ``Encoding``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers import libraries
from tokharness_tokenizers.variants import one_by_one

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness_tokenizers.variants import Variants

__all__ = ["NOT_CALLED", "decoders", "encoders"]

NOT_CALLED = {
    "encode_with_unstable": "its ids are those of a start of the text, with possible ends",
}
THREADS = 2


def encoders(encoding: Any) -> Variants:
    """Return the entry points that give the ids of plain texts."""
    plain: dict[str, Any] = {"disallowed_special": ()}
    found: dict[str, Callable[[Any], Sequence[Any]]] = {
        "encode with disallowed_special=()": one_by_one(partial(encoding.encode, **plain)),
        "encode_batch with disallowed_special=()": partial(
            encoding.encode_batch, num_threads=THREADS, **plain
        ),
    }
    if hasattr(encoding, "encode_to_numpy") and libraries.find_version("numpy"):
        found["encode_to_numpy"] = one_by_one(
            lambda text: encoding.encode_to_numpy(text, **plain).tolist()
        )
    return found


def decoders(encoding: Any) -> Variants:
    """Return the entry points that give the text of ids, or its bytes."""

    def join(ids: Sequence[int]) -> bytes:
        return b"".join(encoding.decode_tokens_bytes(ids))

    def text_of_offsets(ids: Sequence[int]) -> str:
        return encoding.decode_with_offsets(ids)[0]  # type: ignore[no-any-return]

    found: dict[str, Callable[[Any], Sequence[Any]]] = {
        "decode_tokens_bytes": one_by_one(join),
        "decode_with_offsets": one_by_one(text_of_offsets),
    }
    if hasattr(encoding, "decode_bytes_batch"):
        found["decode_bytes_batch"] = partial(encoding.decode_bytes_batch, num_threads=THREADS)
    return found
