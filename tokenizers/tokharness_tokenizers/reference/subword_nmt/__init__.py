"""BPE of subword-nmt (Sennrich et al. 2016): a file of codes, and words cut with ``@@``."""

from __future__ import annotations

from tokharness_tokenizers.reference.subword_nmt.codes import vocabulary_of
from tokharness_tokenizers.reference.subword_nmt.files import load
from tokharness_tokenizers.reference.subword_nmt.tokenizer import SubwordNMT

__all__ = ["SubwordNMT", "load", "vocabulary_of"]
