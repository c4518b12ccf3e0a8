"""Faults of entry points that a library has besides those with names of tokharness."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from planted._builders import engine, tokenizer_with
from planted._registry import fault
from tokharness_tokenizers.variants import one_by_one, results

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

SMALLEST_TYPE = 1 << 12
"""The array of a fault holds ids below it; the embedded vocabulary is too small for 16 bits."""

CHUNK = 64


def _with_variants(encoders: dict[str, Any], decoders: dict[str, Any]) -> SimpleNamespace:
    methods = {}
    if encoders:
        methods["encode_variants"] = lambda texts: results(encoders, texts)
    if decoders:
        methods["decode_variants"] = lambda rows: results(decoders, rows)
    return tokenizer_with(**methods)


@fault("TOK110", cause="entry points: encode_to_numpy", families=["plain-words"])
def array_has_a_small_type() -> SimpleNamespace:
    """Returns an array whose type is too small for the largest ids, which begin again at zero."""
    encode = engine().encode_ordinary
    wrapped = one_by_one(lambda text: [number % SMALLEST_TYPE for number in encode(text)])
    return _with_variants({"encode_to_numpy": wrapped}, {})


@fault("TOK110", cause="entry points: ParallelEncode", families=["long-inputs"], longest=CHUNK + 1)
def parallel_form_cuts_words() -> SimpleNamespace:
    """Encodes chunks of a text in parallel, which end inside a word."""
    encode = engine().encode_ordinary

    def encode_chunks(text: str) -> list[int]:
        chunks = (text[start : start + CHUNK] for start in range(0, len(text), CHUNK))
        return [number for chunk in chunks for number in encode(chunk)]

    return _with_variants({"ParallelEncode": one_by_one(encode_chunks)}, {})


@fault("TOK110", cause="entry points: call with padding", families=["plain-words"])
def padding_of_a_call_cuts_the_first_text() -> SimpleNamespace:
    """Pads to the length of the last text of a call, to which it cuts longer ones."""
    encode = engine().encode_ordinary

    def encode_padded(texts: Sequence[str]) -> list[list[int]]:
        rows = [encode(text) for text in texts]
        return [row[: len(rows[-1])] for row in rows]

    return _with_variants({"call with padding": encode_padded}, {})


@fault("TOK110", cause="entry points: decode_tokens_bytes", families=["plain-words"])
def parts_are_decoded_without_spaces() -> SimpleNamespace:
    """Strips the text of each token that it lists, and only there."""
    token_bytes = engine().decode_single_token_bytes
    joined = one_by_one(lambda ids: b"".join(token_bytes(number).strip() for number in ids))
    return _with_variants({}, {"decode_tokens_bytes": joined})
