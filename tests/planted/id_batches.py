"""Faults in decode_batch, which decodes several sequences of ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted._builders import engine, tokenizer_with
from planted._registry import fault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import SimpleNamespace

    Rows = Sequence[list[int]]


def _decoding_batches(decode_batch: Callable[[Rows], list[str]]) -> SimpleNamespace:
    return tokenizer_with(decode_batch=decode_batch, n_vocab=engine().n_vocab)


@fault("TOK110", cause="entry points: decode_batch")
def decode_batch_caches_by_start_and_length() -> SimpleNamespace:
    """Caches texts by their first id and number of ids, for the time of a batch."""
    decode = engine().decode

    def decode_batch(rows: Rows) -> list[str]:
        cache: dict[object, str] = {}
        return [cache.setdefault((*ids[:1], len(ids)), decode(ids)) for ids in rows]

    return _decoding_batches(decode_batch)


@fault("TOK110", cause="entry points: decode_batch")
def decode_batch_drops_empty_rows() -> SimpleNamespace:
    """Leaves empty sequences out, so that later texts belong to other sequences."""
    decode = engine().decode
    return _decoding_batches(lambda rows: [decode(ids) for ids in rows if ids])


@fault("TOK110", cause="entry points: decode_batch")
def decode_batch_ignores_unknown_ids() -> SimpleNamespace:
    """Leaves out ids that it does not know, on which decode raises."""
    healthy = engine()
    return _decoding_batches(
        lambda rows: [healthy.decode([i for i in ids if 0 <= i < healthy.n_vocab]) for ids in rows]
    )


@fault("TOK110", cause="entry points: decode_batch", families=["leading-space"], longest=10)
def decode_batch_strips_texts() -> SimpleNamespace:
    """Strips each decoded text, which decode does not."""
    decode = engine().decode
    return _decoding_batches(lambda rows: [decode(ids).strip() for ids in rows])


@fault("TOK110", cause="entry points: decode_batch")
def decode_batch_ends_after_a_thousand() -> SimpleNamespace:
    """Decodes a thousand sequences of a batch, and gives no text for the others."""
    decode = engine().decode
    return _decoding_batches(
        lambda rows: [decode(ids) if number < 1000 else "" for number, ids in enumerate(rows)]
    )
