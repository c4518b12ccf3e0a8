"""Functions that build a faulty tokenizer: the embedded vocabulary in tiktoken, with one change.

Each returns a namespace with ``encode``, ``decode`` and only those optional methods that its fault
needs, so that a target shows its own fault and no other.
"""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import regex
import tiktoken

from tokharness_tokenizers.adapters import reference_target, tiktoken_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness_tokenizers.adapters.tiktoken_engine import Engine
    from tokharness_tokenizers.reference.byte_bpe import ByteBPE

    Change = Callable[[str], str]


@functools.cache
def engine() -> Engine:
    """Return the healthy tokenizer that every fault wraps."""
    return tiktoken_engine.load("embedded")


@functools.cache
def vocabulary() -> ByteBPE:
    """Return the reference tokenizer of the same vocabulary: its ranks, pattern and pre-tokens."""
    return reference_target.load_ranks("embedded")


def tokenizer_with(**methods: Any) -> SimpleNamespace:
    """Build a tokenizer with these methods; ``encode`` and ``decode`` are healthy by default."""
    healthy = {"encode": engine().encode_ordinary, "decode": engine().decode}
    return SimpleNamespace(**{**healthy, **methods})


def preprocess(change: Change, **methods: Any) -> SimpleNamespace:
    """Encode ``change(text)`` instead of the text."""
    encode = engine().encode_ordinary
    return tokenizer_with(encode=lambda text: encode(change(text)), **methods)


def remove(expression: str) -> SimpleNamespace:
    """Remove the matches of a regular expression from the text."""
    return substitute(expression, "")


def substitute(expression: str, new: str | Callable[[Any], str]) -> SimpleNamespace:
    """Substitute the matches of a regular expression in the text."""
    compiled = regex.compile(expression)
    return preprocess(lambda text: compiled.sub(new, text))


def call_before_encode(action: Callable[[str], object]) -> SimpleNamespace:
    """Call ``action(text)`` before the text is encoded."""
    encode = engine().encode_ordinary

    def encode_after_action(text: str) -> list[int]:
        action(text)
        return encode(text)

    return tokenizer_with(encode=encode_after_action)


def postprocess(change: Change) -> SimpleNamespace:
    """Decode to ``change(text)`` instead of the text."""
    decode = engine().decode
    return tokenizer_with(decode=lambda ids: change(decode(ids)))


def change_batches(
    *, texts: Callable[[Sequence[str]], Sequence[str]] = list, rows: Callable[[Any], Any] = list
) -> SimpleNamespace:
    """Change the texts of a batch before they are encoded, or its rows of ids afterwards."""
    encode = engine().encode_batch
    return tokenizer_with(encode_batch=lambda batch: rows(encode(list(texts(batch)))))


def cache_by(key: Callable[[str], object]) -> SimpleNamespace:
    """Cache the ids of a text by ``key(text)``; each call returns a new list."""
    cache: dict[object, list[int]] = {}
    encode = engine().encode_ordinary
    return tokenizer_with(encode=lambda text: list(cache.setdefault(key(text), encode(text))))


def change_pattern(*changes: tuple[str, str]) -> SimpleNamespace:
    """Split by the pattern after each ``old`` part of it, at every position, became ``new``."""
    reference, pattern = vocabulary(), vocabulary().pattern
    for old, new in changes:
        if old not in pattern:
            raise ValueError(f"the pattern has no {old}")
        pattern = pattern.replace(old, new)
    encoding = tiktoken.Encoding(
        "faulty",
        pat_str=pattern,
        mergeable_ranks=dict(reference.ranks),
        special_tokens=dict(reference.special_tokens),
    )
    return tokenizer_with(encode=encoding.encode_ordinary)


def extend_white_space(members: str) -> SimpleNamespace:
    """Treat more characters as white space, written as the members of a character class."""
    return change_pattern(
        (r"[^\s", rf"[^\s{members}"),
        (r"\s+", rf"[\s{members}]+"),
        (r"\s*", rf"[\s{members}]*"),
        (r"\S", rf"[^\s{members}]"),
    )


def merge_by(merge: Callable[[bytes], Sequence[bytes]]) -> SimpleNamespace:
    """Split correctly, and turn the bytes of each pre-token into tokens by ``merge``."""
    reference = vocabulary()

    @functools.lru_cache(maxsize=100_000)
    def ids_of(piece: str) -> list[int]:
        return [reference.ranks[token] for token in merge(piece.encode())]

    return tokenizer_with(
        encode=lambda text: [i for piece in reference.pretokens(text) for i in ids_of(piece)]
    )


def change_around_special_tokens(expression: str, new: str) -> SimpleNamespace:
    """Substitute in trusted text; TOKEN in the expression matches any special token."""
    healthy = engine()
    tokens = "|".join(map(regex.escape, healthy.special_tokens))
    compiled = regex.compile(expression.replace("TOKEN", f"({tokens})"), regex.DOTALL)
    return tokenizer_with(
        encode_ordinary=healthy.encode_ordinary,
        encode_special=lambda text: healthy.encode_special(compiled.sub(new, text)),
        special_tokens=healthy.special_tokens,
    )


def find_special_tokens_after(change: Change) -> SimpleNamespace:
    """Encode special tokens as their ids in plain text if only ``change`` reveals them.

    Exact ones are plain text, which is correct. The tokenizer declares its special tokens.
    """
    healthy, tokens = engine(), engine().special_tokens

    def encode(text: str) -> list[int]:
        changed = change(text)
        if any(token in changed and token not in text for token in tokens):
            return healthy.encode_special(changed)
        return healthy.encode_ordinary(text)

    return tokenizer_with(encode=encode, special_tokens=tokens)
