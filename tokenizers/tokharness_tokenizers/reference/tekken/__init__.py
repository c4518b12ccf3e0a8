"""Tekken, the vocabulary format of Mistral's models: :mod:`.file` reads it."""

from tokharness_tokenizers.reference.tekken.file import load, read

__all__ = ["load", "read"]
