"""Healthy tokenizers for every check: ``python:FILE:FACTORY``.

Those that normalize declare it.
"""

import functools
from types import SimpleNamespace

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.adapters import tiktoken_engine


def plain():
    """Return a healthy tokenizer with ``encode`` and ``decode`` only."""
    engine = tiktoken_engine.load("embedded")
    return SimpleNamespace(encode=engine.encode_ordinary, decode=engine.decode)


def complete():
    """Return a healthy tokenizer with all methods of tiktoken."""
    engine = tiktoken_engine.load("embedded")
    names = ("encode_ordinary", "encode_batch", "encode_special", "encode_with_offsets")
    names += (
        "decode_batch",
        "decode_bytes",
        "decode_single_token_bytes",
        "special_tokens",
        "n_vocab",
    )
    return SimpleNamespace(**vars(plain()), **{name: getattr(engine, name) for name in names})


def _normalizing(form):
    tokenizer = plain()
    encode, to_form = tokenizer.encode, functools.partial(normalize, form)
    tokenizer.encode = lambda text: encode(to_form(text))
    tokenizer.normalizer = form
    return tokenizer


def declares_nfc():
    return _normalizing("NFC")


def declares_nfd():
    return _normalizing("NFD")


def declares_nfkc():
    return _normalizing("NFKC")
