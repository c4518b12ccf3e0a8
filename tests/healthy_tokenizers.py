"""Healthy tokenizers that every check is run on: ``python:FILE:FACTORY``.

Those that normalize declare it. ``WRAPPED`` names the vocabulary of a plain wrapper.
"""

import functools
import os
from types import SimpleNamespace

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.adapters import tiktoken_engine


def plain():
    """Encode and decode of a healthy tokenizer, and nothing else."""
    engine = tiktoken_engine.load(os.environ.get("WRAPPED", "embedded"))
    return SimpleNamespace(encode=engine.encode_ordinary, decode=engine.decode)


def complete():
    """Every method of a healthy tokenizer, passed on."""
    engine = tiktoken_engine.load("embedded")
    names = ("encode_ordinary", "encode_batch", "encode_special", "encode_with_offsets")
    names += ("decode_bytes", "decode_single_token_bytes", "special_tokens", "n_vocab")
    return SimpleNamespace(**vars(plain()), **{name: getattr(engine, name) for name in names})


def _normalizing(form):
    tokenizer = plain()
    encode, change = tokenizer.encode, functools.partial(normalize, form)
    tokenizer.encode = lambda text: encode(change(text))
    tokenizer.normalizer = form
    return tokenizer


def declares_nfc():
    return _normalizing("NFC")


def declares_nfkc():
    return _normalizing("NFKC")
