"""What faulty tokenizers are made of: the embedded vocabulary in tiktoken's engine, and one change.

Each helper gives a namespace with ``encode``, ``decode`` and the optional methods that a fault
needs; no other, so that a target shows its own fault only.
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

__all__ = [
    "around_special",
    "batching",
    "before",
    "cached",
    "changing",
    "decoding",
    "dropping",
    "engine",
    "merging",
    "plain",
    "replacing",
    "spacing",
    "special",
    "splitting",
    "vocabulary",
]

if TYPE_CHECKING:
    Change = Callable[[str], str]


@functools.cache
def engine() -> Engine:
    """Give the healthy tokenizer beneath every fault."""
    return tiktoken_engine.load("embedded")


@functools.cache
def vocabulary() -> ByteBPE:
    """Give its ranks, pattern and pre-tokens."""
    return reference_target.load("embedded")


def plain(**methods: Any) -> SimpleNamespace:
    """Give a tokenizer with these methods, and healthy ``encode`` and ``decode`` beside them."""
    healthy = {"encode": engine().encode_ordinary, "decode": engine().decode}
    return SimpleNamespace(**{**healthy, **methods})


def changing(change: Change, **methods: Any) -> SimpleNamespace:
    """Encode what ``change`` makes of the text."""
    encode = engine().encode_ordinary
    return plain(encode=lambda text: encode(change(text)), **methods)


def dropping(expression: str) -> SimpleNamespace:
    """Drop what a regular expression matches."""
    return replacing(expression, "")


def replacing(expression: str, new: str | Callable[[Any], str]) -> SimpleNamespace:
    """Put something else for what a regular expression matches."""
    found = regex.compile(expression)
    return changing(lambda text: found.sub(new, text))


def before(action: Callable[[str], object]) -> SimpleNamespace:
    """Do something with each text before it is encoded."""
    encode = engine().encode_ordinary

    def encode_after(text: str) -> list[int]:
        action(text)
        return encode(text)

    return plain(encode=encode_after)


def decoding(change: Change) -> SimpleNamespace:
    """Give back what ``change`` makes of the decoded text."""
    decode = engine().decode
    return plain(decode=lambda ids: change(decode(ids)))


def batching(
    *, texts: Callable[[Sequence[str]], Sequence[str]] = list, rows: Callable[[Any], Any] = list
) -> SimpleNamespace:
    """Change the texts of a batch before they are encoded, or the rows of ids afterwards."""
    encode = engine().encode_batch
    return plain(encode_batch=lambda given: rows(encode(list(texts(given)))))


def cached(key: Callable[[str], object]) -> SimpleNamespace:
    """Look a text up by its key, and give each caller a list of its own."""
    cache: dict[object, list[int]] = {}
    encode = engine().encode_ordinary
    return plain(encode=lambda text: list(cache.setdefault(key(text), encode(text))))


def splitting(*changes: tuple[str, str]) -> SimpleNamespace:
    """Cut pre-tokens by the pattern with parts of it changed, each wherever it stands."""
    known, pattern = vocabulary(), vocabulary().pattern
    for old, new in changes:
        if old not in pattern:
            raise ValueError(f"the pattern has no {old}")
        pattern = pattern.replace(old, new)
    encoding = tiktoken.Encoding(
        "faulty",
        pat_str=pattern,
        mergeable_ranks=dict(known.ranks),
        special_tokens=dict(known.special_tokens),
    )
    return plain(encode=encoding.encode_ordinary)


def spacing(members: str) -> SimpleNamespace:
    """Take more characters for white space, written as the members of a character class."""
    return splitting(
        (r"[^\s", rf"[^\s{members}"),
        (r"\s+", rf"[\s{members}]+"),
        (r"\s*", rf"[\s{members}]*"),
        (r"\S", rf"[^\s{members}]"),
    )


def merging(merge: Callable[[bytes], Sequence[bytes]]) -> SimpleNamespace:
    """Cut pre-tokens as they should be, and make tokens of their bytes in another way."""
    known = vocabulary()

    @functools.lru_cache(maxsize=100_000)
    def merged(piece: str) -> list[int]:
        return [known.ranks[token] for token in merge(piece.encode())]

    return plain(encode=lambda text: [i for piece in known.pretokens(text) for i in merged(piece)])


def around_special(expression: str, new: str) -> SimpleNamespace:
    """Change what a regular expression finds beside a special token, TOKEN, in trusted text."""
    healthy = engine()
    tokens = "|".join(map(regex.escape, healthy.special_tokens))
    found = regex.compile(expression.replace("TOKEN", f"({tokens})"), regex.DOTALL)
    return plain(
        encode_ordinary=healthy.encode_ordinary,
        encode_special=lambda text: healthy.encode_special(found.sub(new, text)),
        special_tokens=healthy.special_tokens,
    )


def special(change: Change, **methods: Any) -> SimpleNamespace:
    """Encode special tokens that only ``change`` brings to light as their ids.

    Exact ones are plain text, as they should be. The tokenizer says which special tokens it has.
    """
    healthy, tokens = engine(), engine().special_tokens

    def encode(text: str) -> list[int]:
        changed = change(text)
        if any(token in changed and token not in text for token in tokens):
            return healthy.encode_special(changed)
        return healthy.encode_ordinary(text)

    return plain(encode=encode, special_tokens=tokens, **methods)
