"""A tokenizer with a fault, to try tokharness on: ``python:tokharness_tokenizers.demo:NAME``."""

from __future__ import annotations

from types import SimpleNamespace

from tokharness_tokenizers.adapters import tiktoken_engine


def drops_zero_width_space() -> SimpleNamespace:
    """Drop U+200B before encoding, so that a filter and the model read different text."""
    engine = tiktoken_engine.load("embedded")
    return SimpleNamespace(
        encode=lambda text: engine.encode_ordinary(text.replace("\u200b", "")),
        decode=engine.decode,
    )
