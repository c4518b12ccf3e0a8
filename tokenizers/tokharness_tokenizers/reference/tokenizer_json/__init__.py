"""Hugging Face's format ``tokenizer.json``: a reader that makes a :class:`~..pipeline.Pipeline`."""

from __future__ import annotations

from tokharness_tokenizers.reference.tokenizer_json.file import load, read

__all__ = ["load", "read"]
